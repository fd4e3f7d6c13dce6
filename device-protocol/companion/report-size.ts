/** Brings a report under the size a record may keep. What is cut is the long texts, never what happened. */
import { LIMITS } from '../limits.ts';
import type { Report } from '../report.ts';
import { utf8Bytes } from '../wire.ts';

const fits = (report: Report): boolean => utf8Bytes(JSON.stringify(report)) <= LIMITS.reportBytes;

export function fittingReport(report: Report): Report {
  if (fits(report)) return report;
  const change = report.change === null ? null : { ...report.change, appeared: [], gone: [] };
  const shorter: Report = { ...report, change };
  if (fits(shorter)) return shorter;
  // A cut text would no longer be what was read: it is left out, and whether it matched stays.
  const shortest: Report = { ...shorter, read_back: null, settle_reason: null, foreground: null };
  return fits(shortest) ? shortest : { ...shortest, hit: null };
}
