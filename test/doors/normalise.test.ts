/** The one normalising of every door: what it brings together, what it says, what it refuses. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { failureSchema } from '../../device-protocol/envelope.ts';
import { TOOL_NAMES, type ToolName, toolOf } from '../../device-protocol/tools/tools.ts';
import { nearestTools, normaliseArguments } from '../../host/engine/normalise.ts';
import { folded } from '../../host/engine/spelling.ts';

function taken(tool: ToolName, raw: unknown) {
  const result = normaliseArguments(tool, raw);
  if (!result.ok) throw new Error(`refused: ${JSON.stringify(result)}`);
  return result;
}
function refused(tool: ToolName, raw: unknown) {
  const result = normaliseArguments(tool, raw);
  if (result.ok) throw new Error(`taken: ${JSON.stringify(result)}`);
  return result;
}
const KEY = { idempotency_key: 'k' };

describe('what is brought into one form', () => {
  it.each([
    ['observationId', 'idempotencyKey'],
    ['observation-id', 'idempotency-key'],
    ['ObservationID', 'IDEMPOTENCY_KEY'],
  ])('reads %s and %s as our own spellings, and says so', (observation, key) => {
    const { args, warnings } = taken('tap', { ref: 'e1', [observation]: 'o1', [key]: 'k' });
    expect(args).toEqual({ ref: 'e1', observation_id: 'o1', idempotency_key: 'k' });
    expect(warnings).toEqual([
      `"${observation}" was read as "observation_id".`,
      `"${key}" was read as "idempotency_key".`,
    ]);
  });

  it('says nothing where nothing was changed', () => {
    expect(taken('tap', { x: 1, y: 2, ...KEY }).warnings).toEqual([]);
  });

  it('reads numbers and switches that were written as text', () => {
    const { args, warnings } = taken('tap', { x: '12', y: ' 40 ', count: '2', ...KEY });
    expect(args).toEqual({ x: 12, y: 40, count: 2, ...KEY });
    expect(warnings).toHaveLength(3);
    expect(taken('screen_observe', { include_status_bar: 'True' }).args).toEqual({
      include_status_bar: true,
    });
  });

  it.each(['', '0x10', '1e3', 'NaN', 'Infinity', '12px', '1,5', '½', '٣'])(
    'does not read %j as a number',
    (text) => {
      expect(refused('tap', { x: text, y: 1, ...KEY })).toMatchObject({
        error_code: 'argument_wrong',
        field: 'x',
      });
    },
  );

  it('does not turn numbers into text: what was meant by 7 is not known', () => {
    expect(refused('tap', { ref: 7, observation_id: 'o1', ...KEY })).toMatchObject({
      error_code: 'argument_wrong',
      field: 'ref',
    });
  });

  it('leaves typed text exactly as it came', () => {
    for (const text of ['true', ' 12 ', 'null', 'Grüße 👋🏽', '\u0000', '']) {
      expect(taken('set_text', { ref: 'e1', observation_id: 'o1', text, ...KEY }).args.text).toBe(text);
    }
  });

  it('reads a choice in another spelling, and null as left out', () => {
    const { args, warnings } = taken('go', { to: 'hideKeyboard', device_id: null, ...KEY });
    expect(args).toEqual({ to: 'hide_keyboard', ...KEY });
    expect(warnings).toHaveLength(2);
  });

  it('takes no arguments at all for an empty object', () => {
    expect(taken('device_list', undefined).args).toEqual({});
    expect(taken('device_list', null).args).toEqual({});
  });

  it('takes every declared example unchanged', () => {
    for (const name of TOOL_NAMES) {
      const example = toolOf(name).example as Record<string, unknown>;
      expect({ name, ...taken(name, example) }).toEqual({ name, ok: true, args: example, warnings: [] });
    }
  });

  it('has no two fields of one tool, and no two tools, that fold to one name', () => {
    for (const name of TOOL_NAMES) {
      const fields = Object.keys(toolOf(name).input.shape);
      expect(new Set(fields.map(folded)).size, name).toBe(fields.length);
    }
    expect(new Set(TOOL_NAMES.map(folded)).size).toBe(TOOL_NAMES.length);
  });
});

describe('what is refused', () => {
  const aim = { ref: 'e1', observation_id: 'o1' };
  const deep = (levels: number): unknown => (levels === 0 ? 1 : { inner: deep(levels - 1) });

  it.each<[string, ToolName, unknown, string, string | undefined]>([
    ['a list instead of an object', 'tap', [1], 'arguments_not_object', undefined],
    ['a text instead of an object', 'tap', '{"x":1}', 'arguments_not_object', undefined],
    ['an unknown key', 'tap', { ...aim, ...KEY, colour: 'red' }, 'argument_unknown', 'colour'],
    [
      'a key of an object’s own making',
      'tap',
      JSON.parse('{"__proto__":{"x":1}}'),
      'argument_unknown',
      '__proto__',
    ],
    ['the same further down', 'tap', JSON.parse('{"x":{"__proto__":1}}'), 'argument_unknown', '__proto__'],
    ['a constructor', 'tap', { ...aim, ...KEY, constructor: 1 }, 'argument_unknown', 'constructor'],
    [
      'two spellings of one key',
      'tap',
      { ...aim, observationId: 'o1', ...KEY },
      'argument_twice',
      'observation_id',
    ],
    ['an act without its key', 'tap', aim, 'key_missing', 'idempotency_key'],
    ['an empty key', 'tap', { ...aim, idempotency_key: '' }, 'argument_wrong', 'idempotency_key'],
    ['a ref without its observation', 'tap', { ref: 'e1', ...KEY }, 'aim_half', 'observation_id'],
    ['an observation without a ref', 'tap', { observation_id: 'o1', ...KEY }, 'aim_half', 'ref'],
    ['x without y', 'tap', { x: 1, ...KEY }, 'aim_half', 'y'],
    ['y without x', 'tap', { y: 1, ...KEY }, 'aim_half', 'x'],
    ['a ref and a point', 'tap', { ...aim, x: 1, y: 1, ...KEY }, 'aim_both', 'ref'],
    ['neither ref nor point', 'tap', KEY, 'aim_neither', 'ref'],
    ['a half aim of a field', 'set_text', { ref: 'e1', text: 'a', ...KEY }, 'aim_half', 'observation_id'],
    [
      'a half aim of a list',
      'scroll',
      { direction: 'down', ref: 'e1', ...KEY },
      'aim_half',
      'observation_id',
    ],
    ['NaN', 'tap', { x: Number.NaN, y: 1, ...KEY }, 'argument_wrong', 'x'],
    ['an endless number', 'tap', { x: 1, y: Number.POSITIVE_INFINITY, ...KEY }, 'argument_wrong', 'y'],
    ['half a pixel', 'tap', { x: 1.5, y: 1, ...KEY }, 'argument_wrong', 'x'],
    ['a point left of the screen', 'tap', { x: -1, y: 1, ...KEY }, 'argument_wrong', 'x'],
    ['a number too large to be exact', 'tap', { x: 2 ** 60, y: 1, ...KEY }, 'argument_wrong', 'x'],
    ['an object for a text', 'set_text', { ...aim, text: { a: 1 }, ...KEY }, 'argument_wrong', 'text'],
    ['a lone surrogate in text', 'set_text', { ...aim, text: 'a\ud83d', ...KEY }, 'text_not_unicode', 'text'],
    ['a lone surrogate in a key', 'tap', { '\ud83d': 1 }, 'text_not_unicode', '\ufffd'],
    ['a required null', 'go', { to: null, ...KEY }, 'argument_wrong', 'to'],
    ['a missing choice', 'go', KEY, 'argument_missing', 'to'],
    ['a choice nobody knows', 'go', { to: 'moon', ...KEY }, 'argument_wrong', 'to'],
    [
      'arguments that are too large',
      'set_text',
      { ...aim, text: 'ß'.repeat(150_000), ...KEY },
      'argument_too_large',
      'text',
    ],
    ['arguments that are too deep', 'tap', { x: deep(40) }, 'argument_wrong', 'x'],
  ])('%s', (_what, tool, raw, code, field) => {
    const failure = refused(tool, raw);
    expect(failure).toMatchObject({ kind: 'invalid_args', error_code: code, effect: 'none' });
    expect(failure.field).toBe(field);
  });

  it('names field, expectation and a valid call in every refusal', () => {
    const bad: [ToolName, unknown][] = [
      ['tap', { ...aim, ...KEY, colour: 1 }],
      ['tap', { ...aim, observationId: 'o1', ...KEY }],
      ['tap', aim],
      ['tap', { ref: 'e1', ...KEY }],
      ['tap', { ...aim, x: 1, y: 1, ...KEY }],
      ['tap', KEY],
      ['go', KEY],
      ['go', { to: 'moon', ...KEY }],
    ];
    for (const [tool, raw] of bad) {
      const failure = refused(tool, raw);
      expect(failure.field, failure.error_code).toBeTruthy();
      expect(failure.expected, failure.error_code).toBeTruthy();
      const example = failure.suggested_action.say.match(/\{.*\}/)?.[0];
      expect(taken(tool, JSON.parse(example ?? 'null')).warnings, failure.error_code).toEqual([]);
    }
  });

  it.each([
    ['observ', 'observe'],
    ['element', 'ref'],
    ['screen_id', 'observation_id'],
    ['key', 'idempotency_key'],
    ['timeout', 'timeout_ms'],
    ['package', 'foreground_package'],
  ])('names for "%s" the nearest real key', (written, near) => {
    expect(refused('tap', { [written]: 'v' }).suggested_action.say).toContain(`"${near}"`);
  });

  it('repeats nothing of a secret, and never much of anything', () => {
    const secret = 'correct horse battery staple';
    const wrong = refused('set_text', { ...aim, text: 'a', mode: secret.repeat(20), ...KEY });
    expect(JSON.stringify(wrong)).not.toContain('horse');
    const typed = refused('set_text', { ...aim, text: [secret], ...KEY });
    expect(JSON.stringify(typed)).not.toContain('horse');
    const key = refused('tap', { ['x'.repeat(1_000_000)]: 1 });
    expect(JSON.stringify(key).length).toBeLessThan(1_500);
  });

  it('ends on rings and giants without walking them to their end', () => {
    const ring: Record<string, unknown> = {};
    ring.x = ring;
    expect(refused('tap', ring).error_code).toBe('argument_wrong');
    expect(refused('tap', { x: Array.from({ length: 1_000_000 }, () => 'aaaa') }).error_code).toBe(
      'argument_too_large',
    );
  });
});

describe('any arguments at all', () => {
  const spoilt = fc.oneof(
    fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withNullPrototype: true,
      withTypedArray: true,
    }),
    fc.dictionary(
      fc.constantFrom(
        'ref',
        'x',
        'y',
        'to',
        'text',
        'observationId',
        'idempotency_key',
        '__proto__',
        'wait-ms',
      ),
      fc.oneof(fc.jsonValue(), fc.constantFrom('1', 'true', '\ud800', Number.NaN)),
    ),
  );

  it('give arguments that pass the tool’s own schema, or a coded refusal with a valid shape; never a throw', () => {
    fc.assert(
      fc.property(fc.constantFrom(...TOOL_NAMES), spoilt, (tool, raw) => {
        const result = normaliseArguments(tool, raw);
        if (result.ok) {
          expect(toolOf(tool).input.safeParse(result.args).success).toBe(true);
          // What was normalised once is not changed by normalising it again.
          expect(normaliseArguments(tool, result.args)).toEqual({
            ok: true,
            args: result.args,
            warnings: [],
          });
        } else {
          expect(failureSchema.safeParse(result).success).toBe(true);
          expect(result.kind).toBe('invalid_args');
          // A detail that a text needs and nobody gave would show as a lone question mark.
          expect(result.message).not.toMatch(/expected \?|\? came|most \?/);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('unknown tools', () => {
  it.each([
    ['click', 'tap'],
    ['android_tap', 'tap'],
    ['typeText', 'set_text'],
    ['screen_observ', 'screen_observe'],
    ['ScreenObserve', 'screen_observe'],
    ['launch_app', 'app_open'],
    ['getStatus', 'request_status'],
    ['list_devices', 'device_list'],
  ])('finds for "%s" the tool %s first', (written, tool) => {
    expect(nearestTools(written)[0]).toBe(tool);
  });

  it('offers all tools where none is near, and never looks long', () => {
    expect(nearestTools('qqqq')).toEqual(TOOL_NAMES);
    expect(nearestTools('\ud800'.repeat(1_000_000))).toEqual(TOOL_NAMES);
  });
});
