/**
 * What stands outside of the log's file and remembers it: phones, each request having carried the log's head
 * (risk.md, rule 9), and this running host itself. Not for the comparison (host/store/audit-check.ts).
 */
import type { AuditWitness } from '../store/rows.ts';
import type { EngineGiven } from './given.ts';

export function phonesRemember({ phones }: Pick<EngineGiven, 'phones'>): AuditWitness[] {
  return phones.all().flatMap((phone) => {
    const remembered = phone.hello.audit_head;
    return remembered == null ? [] : [{ who: `the phone ${phone.device_id}`, ...remembered }];
  });
}

/** Heads kept; when there are more, every second one goes, so that they reach back over the whole run. */
const MOST_HEADS = 256;

/** Heads of the log as this run of the host wrote them: a file that is changed under its hands shows. */
export class OwnMemory {
  #heads: { readonly length: number; readonly chain: string }[] = [];

  note(head: { readonly length: number; readonly chain: string }): void {
    this.#heads.push({ length: head.length, chain: head.chain });
    if (this.#heads.length > MOST_HEADS) this.#heads = this.#heads.filter((_, at) => at % 2 === 1);
  }

  get remembered(): AuditWitness[] {
    return this.#heads.map((head) => ({ who: 'this running host', ...head }));
  }
}
