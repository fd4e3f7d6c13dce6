/** The whole way: an agent is stopped at a delete, the owner says yes in a real browser, the phone does it once. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectEngine } from '../../host/doors/owner-socket/client.ts';
import { outcomeOf, ReportRig } from '../field-reports/rig.ts';
import { countersign } from '../support/host-process.ts';
import { refOf } from '../support/mcp.ts';
import { isMissing } from '../support/needs.ts';
import { CHROMIUM, openBrowser } from './bench.ts';

const missing = isMissing('chromium', CHROMIUM);
let rig: ReportRig;
let browser: Browser;
beforeAll(async () => {
  if (missing) return;
  rig = await ReportRig.of('d-24-five-deletes', 'org.example.files');
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await rig?.ended();
});

describe.skipIf(missing)('a real host, a real agent, a real browser', () => {
  it('what the owner approves on the page runs once, and the log says who said yes', async () => {
    const engine = await connectEngine(rig.dataDir);
    const link = await engine.consoleLink();
    engine.close();
    const page = await (await browser.newContext({ locale: 'en-GB' })).newPage();
    await page.goto(link ?? '');
    await page.getByText('Nothing waits for you.').waitFor();

    const seen = await rig.look();
    const staged = outcomeOf(
      await rig.act('tap', { ref: refOf(seen, 'Delete'), observation_id: seen.observation_id }),
    );
    expect(staged.state).toBe('pending_confirmation');
    expect(String(staged.view_url)).toContain(new URL(page.url()).origin);
    expect(String(staged.view_url)).not.toMatch(/code=/);

    const card = page.locator(`[id="c-${String(staged.confirmation_id)}"]`);
    await card.getByText('deletes').waitFor();
    await card.getByRole('button', { name: 'Approve once' }).click();
    await card.getByText('Approved. It runs once, as shown.').waitFor();
    const ended = await rig.ok('request_status', { request_id: staged.request_id, wait_ms: 20_000 });
    expect(ended).toMatchObject({ state: 'done', acted: true, approval: { how: 'console' } });
    expect((await rig.phone.touches()).filter(({ label }) => label === 'Delete')).toHaveLength(1);
    await page.locator('.entries').getByText('Delete').first().waitFor();
  });

  it('the stop pressed on the page holds for agents and for the command line, until the owner lifts it', async () => {
    const engine = await connectEngine(rig.dataDir);
    const link = await engine.consoleLink();
    engine.close();
    const page = await (await browser.newContext({ locale: 'en-GB' })).newPage();
    await page.goto(link ?? '');
    await page.getByRole('button', { name: 'Stop everything' }).click();
    await page.getByText('Stopped. Agents can do nothing until you resume.').waitFor();
    expect(await rig.act('go', { to: 'home' })).toMatchObject({
      ok: false,
      error_code: 'stopped',
      kind: 'rejected',
    });
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('button', { name: 'Yes' }).click();
    await page.getByRole('button', { name: 'Stop everything' }).waitFor();
    expect(outcomeOf(await rig.act('go', { to: 'home' })).state).toBe('done');
  });
});

it('the sign-in link is printed to a terminal only', async () => {
  const ran = await countersign(['console', '--json']);
  expect(ran.status).toBe(2);
  expect(ran.json).toMatchObject({ ok: false, error_code: 'terminal_needed' });
  expect(ran.stdout + ran.stderr).not.toContain('#code=');
});
