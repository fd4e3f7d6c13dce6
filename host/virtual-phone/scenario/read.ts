/**
 * Reads a scenario file: YAML 1.2 without anchors, aliases and tags, checked against its schema, every
 * complaint with line and column. It reads that one file and nothing else. Not for running it.
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  type Node,
  type ParsedNode,
  parseDocument,
  visit,
} from 'yaml';
import type { z } from 'zod';
import { SCENARIO_LIMITS, type Scenario, type Steps, scenarioSchema } from './schema.ts';

export interface Complaint {
  readonly line: number;
  readonly column: number;
  /** Where in the file, as a path of keys. */
  readonly where: string;
  readonly message: string;
}

export class ScenarioError extends Error {
  readonly complaints: readonly Complaint[];
  constructor(file: string, complaints: readonly Complaint[]) {
    super(
      complaints
        .map(
          (one) =>
            `${file}:${one.line}:${one.column}: ${one.where === '' ? '' : `${one.where}: `}${one.message}`,
        )
        .join('\n'),
    );
    this.complaints = complaints;
  }
}

export function readScenarioFile(path: string): Scenario {
  return readScenario(readFileSync(path), basename(path));
}

/** Throws ScenarioError with every complaint, the first in the file first. */
export function readScenario(bytes: Uint8Array, file: string): Scenario {
  const fail = (message: string): never => {
    throw new ScenarioError(file, [{ line: 1, column: 1, where: '', message }]);
  };
  if (bytes.length > SCENARIO_LIMITS.bytes)
    fail(`a scenario has at most ${SCENARIO_LIMITS.bytes} bytes; this has ${bytes.length}`);
  const text = new TextDecoder('utf-8', { fatal: false }).decode(bytes);
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    version: '1.2',
    schema: 'core',
    uniqueKeys: true,
    strict: true,
  });
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const complaints: Complaint[] = [...document.errors, ...document.warnings].map((error) => ({
    ...at(error.pos[0]),
    where: '',
    message: error.message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '') ?? error.code,
  }));
  if (complaints.length === 0) complaints.push(...unwanted(document, at));
  if (complaints.length > 0) throw new ScenarioError(file, inOrder(complaints));
  const parsed = scenarioSchema.safeParse(document.toJS({ maxAliasCount: 0 }));
  const wrong = parsed.success ? namesOf(parsed.data) : parsed.error.issues.flatMap(flat);
  if (!parsed.success || wrong.length > 0) {
    throw new ScenarioError(
      file,
      inOrder(
        wrong.map(({ path, message, key }) => ({
          ...at(offsetOf(document, path, key === true)),
          where: path.join('.'),
          message,
        })),
      ),
    );
  }
  return parsed.data;
}

/** Anchors, aliases, tags, merge keys, too deep nesting, keys that mean something to JavaScript. */
function unwanted(
  document: Document.Parsed,
  at: (offset: number) => { line: number; column: number },
): Complaint[] {
  const complaints: Complaint[] = [];
  const say = (node: Node, message: string) =>
    complaints.push({ ...at(node.range?.[0] ?? 0), where: '', message });
  visit(document, {
    Node(key, node, path) {
      if (isAlias(node)) say(node, 'aliases are not allowed');
      else if ('anchor' in node && node.anchor !== undefined) say(node, 'anchors are not allowed');
      if (node.tag !== undefined && !isAlias(node) && node.srcToken !== undefined && hasOwnTag(node))
        say(node, 'tags are not allowed');
      if (
        key === 'key' &&
        isScalar(node) &&
        ['__proto__', 'constructor', 'prototype', '<<'].includes(String(node.value))
      )
        say(node, `the key "${String(node.value)}" is not allowed`);
      if (path.length > SCENARIO_LIMITS.depth * 2) {
        say(node, `nested deeper than ${SCENARIO_LIMITS.depth} levels`);
        return visit.BREAK;
      }
      return undefined;
    },
  });
  return complaints;
}

function hasOwnTag(node: Node): boolean {
  return typeof node.tag === 'string' && !node.tag.startsWith('tag:yaml.org,2002:');
}

interface Wrong {
  readonly path: PropertyKey[];
  readonly message: string;
  /** It is the key itself that is wrong. */
  readonly key?: true;
}

/** A union's complaint is that of its most likely member: the one that was got furthest into. */
function flat(issue: z.core.$ZodIssue): Wrong[] {
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const depth = (issues: readonly z.core.$ZodIssue[]) => Math.max(...issues.map((one) => one.path.length));
    const unknown = (issues: readonly z.core.$ZodIssue[]) =>
      issues.filter((one) => one.code === 'unrecognized_keys').length;
    const best =
      [...issue.errors].sort(
        (a, b) => depth(b) - depth(a) || unknown(a) - unknown(b) || a.length - b.length,
      )[0] ?? [];
    const inner = best.flatMap(flat);
    if (inner.length > 0 && (depth(best) > 0 || issue.errors.length === 1))
      return inner.map((one) => ({ ...one, path: [...issue.path, ...one.path] }));
    return [{ path: [...issue.path], message: 'is none of what may stand here' }];
  }
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: [...issue.path, key],
      message: 'nobody reads this key',
      key: true,
    }));
  }
  return [{ path: [...issue.path], message: issue.message }];
}

/** Where in the text the value of `path` stands; of a key that has no value, where its map begins. */
function offsetOf(document: Document.Parsed, path: readonly PropertyKey[], ofKey: boolean): number {
  let node: unknown = document.contents;
  let offset = (document.contents as ParsedNode | null)?.range[0] ?? 0;
  for (const [depth, key] of path.entries()) {
    if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && item.key.value === key);
      if (pair === undefined) return offset;
      const last = ofKey && depth === path.length - 1;
      const there = last && isNode(pair.key) ? pair.key : isNode(pair.value) ? pair.value : pair.key;
      offset = (isNode(there) ? there.range?.[0] : undefined) ?? offset;
      node = pair.value;
    } else {
      node = (node as { get?: (key: PropertyKey, keep: boolean) => unknown } | null)?.get?.(key, true);
      if (isNode(node)) offset = node.range?.[0] ?? offset;
    }
  }
  return offset;
}

/** Names that lead nowhere: screens and dialogs that do not exist. */
function namesOf(scenario: Scenario): Wrong[] {
  const wrong: Wrong[] = [];
  const steps = (screen: string, all: Steps, path: PropertyKey[]): void => {
    const list = Array.isArray(all)
      ? all.map((step, index) => ({ step, at: [...path, index] }))
      : [{ step: all, at: path }];
    for (const { step, at } of list) {
      if ('goto' in step && !Object.hasOwn(scenario.screens, step.goto))
        wrong.push({ path: [...at, 'goto'], message: `there is no screen "${step.goto}"` });
      if ('dialog' in step && !Object.hasOwn(scenario.screens[screen]?.dialogs ?? {}, step.dialog))
        wrong.push({ path: [...at, 'dialog'], message: `screen "${screen}" has no dialog "${step.dialog}"` });
      if ('every' in step) steps(screen, step.do, [...at, 'do']);
    }
  };
  const walk = (screen: string, value: unknown, path: PropertyKey[]): void => {
    if (Array.isArray(value)) {
      for (const [index, one] of value.entries()) walk(screen, one, [...path, index]);
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, one] of Object.entries(value)) {
        if (
          ['tap', 'hold', 'slide', 'submit', 'enter', 'back'].includes(key) ||
          (key === 'do' && 'text' in value)
        )
          steps(screen, one as Steps, [...path, key]);
        else walk(screen, one, [...path, key]);
      }
    }
  };
  for (const [name, screen] of Object.entries(scenario.screens)) walk(name, screen, ['screens', name]);
  return wrong;
}

const inOrder = (complaints: readonly Complaint[]) =>
  [...complaints].sort((a, b) => a.line - b.line || a.column - b.column);
