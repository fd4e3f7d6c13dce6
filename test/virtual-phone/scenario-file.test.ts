/** Scenario files: what is read, and how a mistake is told. */
import { describe, expect, it } from 'vitest';
import { readScenario, ScenarioError } from '../../host/virtual-phone/scenario/read.ts';

const head = 'scenario: test\napp: org.example.test\n';
const screens = 'screens:\n  main:\n    title: Main\n    show: [{ text: hello }]\n';
const read = (text: string) => readScenario(new TextEncoder().encode(text), 'test.yaml');

function complaints(text: string): string[] {
  try {
    read(text);
  } catch (error) {
    if (error instanceof ScenarioError) return error.message.split('\n');
    throw error;
  }
  throw new Error('it was accepted');
}

describe('a scenario file', () => {
  it('is read with its defaults', () => {
    const scenario = read(head + screens);
    expect(scenario).toMatchObject({
      toolkit: 'views',
      seed: 1,
      phone: { front: true },
      values: {},
      faults: {},
    });
    expect(Object.keys(scenario.screens)).toEqual(['main']);
  });

  it.each([
    ['an unknown key', `${head}colour: red\n${screens}`, /^test\.yaml:3:1: colour: nobody reads this key$/],
    [
      'an unknown key deep inside',
      `${head}screens:\n  main:\n    title: Main\n    show:\n      - { text: hi, colr: red }\n`,
      /^test\.yaml:7:21: screens\.main\.show\.0\.colr: nobody reads this key$/,
    ],
    ['a wrong kind of value', `${head}seed: many\n${screens}`, /^test\.yaml:3:7: seed: /],
    [
      'two kinds in one',
      `${head}screens:\n  main:\n    title: Main\n    show:\n      - { text: a, button: b }\n`,
      /^test\.yaml:7:9: screens\.main\.show\.0: expected exactly one of .* found text and button$/,
    ],
    [
      'a screen that is not there',
      `${head}screens:\n  main:\n    title: Main\n    show:\n      - { button: Go, tap: { goto: nowhere } }\n`,
      /^test\.yaml:7:36: .*goto: there is no screen "nowhere"$/,
    ],
    [
      'a dialog that is not there',
      `${head}screens:\n  main:\n    title: Main\n    show:\n      - { button: Go, tap: [{ dialog: sure }] }\n`,
      /^test\.yaml:7:39: .*screen "main" has no dialog "sure"$/,
    ],
    [
      'a field that edits nothing',
      `${head}screens:\n  main:\n    title: Main\n    show: [{ field: Name }]\n`,
      /a field needs "into"/,
    ],
    ['a missing part', 'scenario: x\n', /^test\.yaml:1:1: app: /],
    ['the same key twice', `${head}app: org.example.other\n${screens}`, /^test\.yaml:3:1: .*unique/i],
    ['broken YAML', `${head}screens: [\n`, /^test\.yaml:\d+:\d+: /],
    [
      'a package that is none',
      `scenario: x\napp: no package\n${screens}`,
      /^test\.yaml:2:6: app: a package name$/,
    ],
    ['a tab for indenting', `${head}screens:\n\tmain: 1\n`, /^test\.yaml:4:1: .*[Tt]ab/],
  ])('says where %s stands', (_what, text, message) => {
    expect(complaints(text)[0]).toMatch(message);
  });

  it('tells all mistakes at once, in the order of the file', () => {
    const all = complaints(`${head}seed: many\ncolour: red\n${screens}`);
    expect(all.map((line) => line.split(': ')[0])).toEqual(['test.yaml:3:7', 'test.yaml:4:1']);
  });

  it.each([
    ['anchors', `${head}values: &v { a: 1 }\n${screens}`, /anchors are not allowed/],
    ['aliases', `${head}values: { a: *v }\n${screens}`, /alias/i],
    ['tags', `${head}values: { a: !!js/function "x" }\n${screens}`, /tag/i],
    ['merge keys', `${head}values: { <<: { a: 1 } }\n${screens}`, /"<<" is not allowed/],
    [
      'keys that mean something to JavaScript',
      `${head}values: { __proto__: 1 }\n${screens}`,
      /"__proto__" is not allowed/,
    ],
    ['deep nesting', `${head}values: ${'['.repeat(200)}${']'.repeat(200)}\n${screens}`, /nested deeper/],
    ['size', `${head}${screens}# ${'x'.repeat(70_000)}`, /at most 65536 bytes/],
    ['a second document', `${head}${screens}---\n${head}${screens}`, /document/],
  ])('refuses %s', (_what, text, message) => {
    expect(complaints(text).join('\n')).toMatch(message);
  });

  it('does not grow by an alias bomb', () => {
    const bomb = Array.from(
      { length: 20 },
      (_none, i) => `a${i}: &a${i} [${`*a${i - 1},`.repeat(i === 0 ? 0 : 9)}]`,
    ).join('\n');
    expect(complaints(`${head}${bomb}\n${screens}`).join()).toMatch(/not allowed|alias/i);
  });
});
