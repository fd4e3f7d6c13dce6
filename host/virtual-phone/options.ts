/**
 * What a virtual phone is told when it starts: one JSON line on its standard input, the pairing secret among
 * it, which therefore never stands in an argument, the environment or a file. Not for what it is told later
 * (control.ts).
 */
import { z } from 'zod';
import { LANGUAGES } from './android/words.ts';
import { faultsSchema } from './faults.ts';

const hex256 = z.string().regex(/^[0-9a-f]{64}$/);

export const phoneOptionsSchema = z.strictObject({
  device_id: z.string().regex(/^[A-Za-z0-9._-]{1,64}$/),
  secret: hex256,
  /** `wss://127.0.0.1:port` */
  host_url: z.string().regex(/^wss:\/\//),
  /** SHA-256 of the host certificate's DER. */
  fingerprint: hex256,
  host_id: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .nullable()
    .default(null),
  /** Where ledger and apps' states live; the platform's own place when not given. */
  state_folder: z.string().min(1).nullable().default(null),
  /** Begin a new boot, as if the phone had been switched off and on. */
  reboot: z.boolean().default(false),
  language: z.enum(LANGUAGES).default('en'),
  width: z.int().min(320).max(4_000).default(1080),
  height: z.int().min(320).max(4_000).default(2400),
  density: z.number().min(0.75).max(6).default(2.625),
  pin: z
    .string()
    .regex(/^\d{4,8}$/)
    .nullable()
    .default(null),
  /** A recorded screen that is shown instead of the small Android: the file's path. */
  recorded: z.string().nullable().default(null),
  /** A scenario file: one app more, with its own faults; read, and nothing beside it. */
  scenario: z.string().nullable().default(null),
  /** `driven`: time passes only when the control lets it. */
  clock: z.enum(['machine', 'driven']).default('machine'),
  /** Answer the tests' side channel. */
  control: z.boolean().default(false),
  /** Armed from the start. */
  faults: faultsSchema.partial().default({}),
  /** End when the standard input ends, that is with the parent. */
  live_with_stdin: z.boolean().default(false),
});
export type PhoneOptions = z.infer<typeof phoneOptionsSchema>;
/** As one writes it down. */
export type PhoneOrder = z.input<typeof phoneOptionsSchema>;
