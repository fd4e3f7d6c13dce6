/** Both sides of the handshake against each other: what is said in which order, and what ends it. */
import { describe, expect, it } from 'vitest';
import { CompanionDialogue } from '../../device-protocol/companion/dialogue.ts';
import type { Pairing } from '../../device-protocol/companion/engine-api.ts';
import { HostDialogue, type KnownPhone, type Opened } from '../../device-protocol/host-dialogue.ts';
import { HEARTBEAT } from '../../device-protocol/limits.ts';
import { CompanionRig, HOST } from '../support/companion-rig.ts';

const SECRET = '5e'.repeat(32);
const FINGERPRINT = 'f1'.repeat(32);

interface Talk {
  readonly frames: string[];
  opened: Opened | null;
  refused: { code: string; detail: string } | null;
  ended: string | null;
  destroyed: string | null;
  dialogue: CompanionDialogue;
}

class Both {
  readonly rig = new CompanionRig();
  phone: KnownPhone | null = { secret: SECRET, memory: null, last_seq: 0, settled_below: 1 };
  pairing: Pairing = { device_id: 'phone-1', secret: SECRET, fingerprint: FINGERPRINT, host_id: null };
  hostFingerprint = FINGERPRINT;
  hostId = HOST;
  hostMs = 1_000_000;
  tries = true;
  toHost = (text: string): string => text;
  toCompanion = (text: string): string => text;

  talk(): Talk {
    const host = new HostDialogue({
      host_id: this.hostId,
      fingerprint: this.hostFingerprint,
      nonce: '0b'.repeat(32),
      phone: () => this.phone,
      mayTry: () => this.tries,
      monotonic: () => this.hostMs,
      now: () => this.hostMs,
    });
    const queue: { to: 'host' | 'companion'; text: string }[] = [];
    const frames: string[] = [];
    const dialogue = new CompanionDialogue(this.rig.engine, this.rig.ports, this.pairing, {
      send: (text) => queue.push({ to: 'host', text }),
      destroy: (why) => {
        talk.destroyed = why;
      },
    });
    const talk: Talk = { frames, opened: null, refused: null, ended: null, destroyed: null, dialogue };
    dialogue.start();
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      frames.push(JSON.parse(next.text).type);
      if (next.to === 'companion') {
        dialogue.frame(this.toCompanion(next.text));
        continue;
      }
      const step = host.frame(this.toHost(next.text));
      if (step.kind === 'send') queue.push({ to: 'companion', text: JSON.stringify(step.message) });
      if (step.kind === 'ended') talk.ended = step.code;
      if (step.kind === 'refuse') talk.refused = step;
      if (step.kind === 'opened') {
        talk.opened = step.opened;
        if (this.phone !== null) this.phone = { ...this.phone, memory: step.opened.memory };
      }
      if (step.kind !== 'send') break;
    }
    return talk;
  }
}

describe('the handshake', () => {
  it('says dial, challenge, proof, proof_back, hello, session, ready, and nothing before the proofs', () => {
    const both = new Both();
    const talk = both.talk();
    expect(talk.frames).toEqual(['dial', 'challenge', 'proof', 'proof_back', 'hello', 'session', 'ready']);
    expect(talk.opened?.hello.ledger_id).toBe(both.rig.engine.view().ledger_id);
    expect(talk.dialogue.inSession).toBe(true);
  });

  it('tells no ledger, boot or counter to a host that cannot prove the secret', () => {
    const both = new Both();
    both.toCompanion = (text) => text.replace(/"proof":"[0-9a-f]{64}"/, `"proof":"${'0'.repeat(64)}"`);
    const talk = both.talk();
    expect(talk.frames).toEqual(['dial', 'challenge', 'proof', 'proof_back', 'refused']);
    expect(talk.ended).toBe('auth_failed');
    expect(talk.destroyed).toBe('auth_failed');
  });

  it.each([
    ['another secret', (both: Both) => (both.pairing = { ...both.pairing, secret: '77'.repeat(32) })],
    ['another certificate', (both: Both) => (both.hostFingerprint = '00'.repeat(32))],
    ['an unknown phone', (both: Both) => (both.phone = null)],
  ])('refuses %s with the same words, as a failed attempt', (_, change) => {
    const both = new Both();
    change(both);
    const talk = both.talk();
    expect(talk.refused).toMatchObject({
      code: 'auth_failed',
      detail: 'not paired here, or the secret does not match',
      wrong_proof: true,
    });
    expect(talk.frames).toEqual(['dial', 'challenge', 'proof']);
  });

  it('does not take the host’s proof back for the companion’s, nor the other way round', () => {
    const both = new Both();
    let proof = '';
    both.toHost = (text) => {
      const found = /"type":"proof","proof":"([0-9a-f]{64})"/.exec(text)?.[1];
      if (found !== undefined) proof = found;
      return text;
    };
    both.toCompanion = (text) =>
      text.includes('proof_back') ? text.replace(/"proof":"[0-9a-f]{64}"/, `"proof":"${proof}"`) : text;
    expect(both.talk().ended).toBe('auth_failed');
  });

  it('does not greet another host than the one that was paired', () => {
    const both = new Both();
    both.pairing = { ...both.pairing, host_id: 'b'.repeat(32) };
    expect(both.talk().ended).toBe('auth_failed');
  });

  it('lets nobody try who failed too often', () => {
    const both = new Both();
    both.tries = false;
    expect(both.talk().refused?.code).toBe('too_many_attempts');
  });

  it.each([
    ['older', 0, 'update the companion on the phone'],
    ['newer', 7, 'update countersign on the computer'],
  ])('says which side to update where the companion is %s', (_, version, words) => {
    const both = new Both();
    both.toHost = (text) => text.replace('"protocol":1', `"protocol":${version},"unheard_of":true`);
    const talk = both.talk();
    expect(talk.refused?.code).toBe('protocol_version');
    expect(talk.refused?.detail).toContain(words);
  });

  it.each([
    ['older', 0, 'update countersign on the computer'],
    ['newer', 7, 'update the companion on the phone'],
  ])('says which side to update where the host is %s', (_, version, words) => {
    const both = new Both();
    let said = '';
    both.toCompanion = (text) => text.replace('"protocol":1', `"protocol":${version},"unheard_of":true`);
    both.toHost = (text) => {
      if (text.includes('refused')) said = text;
      return text;
    };
    expect(both.talk().ended).toBe('protocol_version');
    expect(said).toContain(words);
  });

  it.each(['dial', 'proof', 'hello', 'ready'])('ends at a %s that is no message', (type) => {
    const both = new Both();
    both.toHost = (text) => (text.includes(`"type":"${type}"`) ? '{"type":' : text);
    expect(both.talk().refused?.code).toBe('bad_message');
  });

  it('gives up a host that falls silent in the middle', () => {
    const both = new Both();
    both.toCompanion = () => {
      throw new Error('nothing arrives');
    };
    const dialogue = new CompanionDialogue(both.rig.engine, both.rig.ports, both.pairing, {
      send: () => {},
      destroy: (why) => {
        destroyed = why;
      },
    });
    let destroyed = '';
    dialogue.start();
    both.rig.clock.pass(HEARTBEAT.goneAfterMs - 1);
    expect(destroyed).toBe('');
    both.rig.clock.pass(1);
    expect(destroyed).toContain('silent');
  });
});

describe('a phone that was turned back', () => {
  const later = (both: Both, ms: number): void => {
    both.hostMs += ms;
    both.rig.clock.pass(ms);
  };

  it('is not suspected after a new session, a restart, a reboot', () => {
    const both = new Both();
    expect(both.talk().opened?.turned_back).toBeNull();
    later(both, 60_000);
    both.rig.start();
    expect(both.talk().opened?.turned_back).toBeNull();
    later(both, 60_000);
    both.rig.clock.boots += 1;
    both.rig.clock.nowMs = 500;
    both.rig.boot();
    expect(both.talk().opened?.turned_back).toBeNull();
  });

  const backs: [string, (both: Both) => void][] = [
    [
      'shorter',
      (both) => {
        const early = both.rig.disk.bytes();
        both.rig.submit(both.rig.request());
        both.talk();
        both.rig.disk.put(early);
      },
    ],
    [
      'other_chain',
      (both) => {
        both.talk();
        const early = both.rig.disk.bytes();
        both.rig.connect();
        both.rig.submit(both.rig.request());
        const opened = both.talk().opened;
        // The phone goes back and lives another life until it is as long again.
        both.rig.disk.put(early);
        both.rig.boot();
        while (both.rig.engine.view().ready && (opened?.memory.length ?? 0) > both.rig.hello.head.length)
          both.rig.connect();
      },
    ],
    [
      'clock_lost',
      (both) => {
        both.talk();
        both.hostMs += 60_000;
        both.rig.clock.nowMs += 50_000;
      },
    ],
    [
      'retired_boot',
      (both) => {
        both.talk();
        const early = both.rig.disk.bytes();
        both.rig.clock.boots += 1;
        both.rig.boot();
        both.talk();
        both.rig.clock.boots -= 1;
        both.rig.disk.put(early);
      },
    ],
  ];
  it.each(backs)('is found out: %s', (why, turn) => {
    const both = new Both();
    both.talk();
    turn(both);
    both.rig.boot();
    const before = both.rig.engine.view();
    const opened = both.talk().opened;
    expect(opened?.turned_back).toBe(why);
    expect(opened?.ready.ledger_id).not.toBe(before.ledger_id);
    expect(opened?.ready.boot_id).not.toBe(before.boot_id);
    expect(both.rig.disk.old.at(-1)?.why).toBe('rolled_back');
    later(both, 1_000);
    expect(both.talk().opened?.turned_back).toBeNull();
  });

  it('stays within the stated tolerance for a clock that is a little slow', () => {
    const both = new Both();
    both.talk();
    both.hostMs += 60_000;
    both.rig.clock.pass(58_000);
    expect(both.talk().opened?.turned_back).toBeNull();
  });

  it('knows a host that was turned back by a seq it never gave', () => {
    const both = new Both();
    both.rig.submit(both.rig.request());
    expect(both.talk().opened?.host_turned_back).toBe(true);
    both.phone = { secret: SECRET, memory: null, last_seq: 1, settled_below: 1 };
    expect(both.talk().opened?.host_turned_back).toBe(false);
  });
});
