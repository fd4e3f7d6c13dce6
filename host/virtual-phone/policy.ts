/** The package policy of the virtual phone: the same as every companion's. */
import type { CompanionPolicy } from '../../device-protocol/companion/ports.ts';

export const virtualPhonePolicy: CompanionPolicy = { refuses: () => null };
