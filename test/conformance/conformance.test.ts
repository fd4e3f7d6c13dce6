/** The official MCP suite against our HTTP door; installed apart (`npm ci --prefix test/conformance`). */
import { expect, it } from 'vitest';
import { isMissing } from '../support/needs.ts';
import { conformance } from './conformance.ts';
import { isInstalled } from './suite.ts';

const missing = isMissing('the MCP conformance suite (npm ci --prefix test/conformance)', isInstalled());

it.skipIf(missing)(
  'passes every scenario that each revision requires, and what the real server can show without fixtures',
  async () => {
    const figures = await conformance(() => {});
    expect(figures.sets).toEqual({
      '2026-07-28': { required: 37, passed: 37, failed: [] },
      '2025-11-25': { required: 30, passed: 30, failed: [] },
      '2025-06-18': { required: 27, passed: 27, failed: [] },
    });
    expect(figures.real_server).toEqual({ scenarios: 16, passed: 15, failed: [] });
    expect(figures.expected_failures).toHaveLength(2);
  },
  300_000,
);
