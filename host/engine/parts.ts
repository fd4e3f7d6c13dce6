/** What every call has at hand: what the composition gave, and what the engine keeps for itself. */
import type { AuditWitness, RunningTime } from '../store/rows.ts';
import type { Allowance } from './allowance.ts';
import type { EngineGiven } from './given.ts';
import type { Questions } from './questions.ts';
import type { Waits } from './waits.ts';
import type { OwnMemory } from './witnesses.ts';

export interface EngineParts extends EngineGiven {
  readonly allowance: Allowance;
  readonly waits: Waits;
  readonly questions: Questions;
  readonly memory: OwnMemory;
  /** What phones remember of the log, for its check. */
  readonly witnesses: () => readonly AuditWitness[];
  /** For every row of the log: when, by a clock that nobody can set. */
  readonly running: () => RunningTime;
}
