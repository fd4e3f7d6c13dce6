/** An expected failure on its way to the door: a code of the error table with its details. Not for bugs. */
import type { FailureDetails } from '../../device-protocol/envelope.ts';
import type { ErrorCode } from '../../device-protocol/errors.ts';

export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly details: FailureDetails;
  constructor(code: ErrorCode, details: FailureDetails = {}) {
    super(code);
    this.code = code;
    this.details = details;
  }
}
