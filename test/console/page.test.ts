/**
 * The console in a real browser: what the owner sees, presses and hears of, on a small screen and a desk,
 * light and dark, by keyboard, in six languages. Pictures go to .ci/out/console.
 */
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isMissing } from '../support/needs.ts';
import { type Bench, CHROMIUM, logEntry, openBench, openBrowser, pendingView, signedIn } from './bench.ts';

const missing = isMissing('chromium', CHROMIUM);
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const PICTURES = fileURLToPath(new URL('../../.ci/out/console/', import.meta.url));

let browser: Browser;
let bench: Bench;
beforeAll(async () => {
  mkdirSync(PICTURES, { recursive: true });
  if (!missing) browser = await openBrowser();
});
afterAll(() => browser?.close());
beforeEach(async () => {
  bench = await openBench();
});
afterEach(async () => {
  for (const context of browser?.contexts() ?? []) await context.close();
  await bench.close();
});

const card = (page: Page, view: { confirmation_id: string }) =>
  page.locator(`[id="c-${view.confirmation_id}"]`);
const button = (page: Page, view: { confirmation_id: string }, name: string) =>
  card(page, view).getByRole('button', { name, exact: true });

/** Violations that axe finds, as sentences. */
async function violations(page: Page): Promise<string[]> {
  // By the browser's own injection: the page's CSP allows no script of ours.
  const session = await page.context().newCDPSession(page);
  const source = (await import('node:fs')).readFileSync(AXE, 'utf8');
  await session.send('Runtime.evaluate', { expression: source });
  const { result } = await session.send('Runtime.evaluate', {
    expression:
      "axe.run(document).then((found) => JSON.stringify(found.violations.map((one) => one.id + ': ' + one.nodes.map((node) => node.target.join(' ')).join(', '))))",
    awaitPromise: true,
  });
  return JSON.parse(String(result.value)) as string[];
}

describe.skipIf(missing)('the queue', () => {
  it('approves what is shown, once, after the buttons came alive', async () => {
    const view = pendingView({ typed_text: 'See you at six' });
    bench.pending = [view];
    const { page, errors } = await signedIn(browser, bench);
    await card(page, view).waitFor();
    expect(await button(page, view, 'Approve once').isDisabled()).toBe(true);
    await button(page, view, 'Approve once').click();
    await card(page, view).getByText('Approved. It runs once, as shown.').waitFor();
    expect(bench.decisions).toEqual([`approve ${view.confirmation_id}`]);
    expect(await button(page, view, 'Deny').isDisabled()).toBe(true);
    expect(errors).toEqual([]);
  });

  it('denies, and says what became of one that was decided elsewhere', async () => {
    const [first, second] = [pendingView(), pendingView()];
    bench.pending = [first, second];
    const { page } = await signedIn(browser, bench);
    await button(page, first, 'Deny').click();
    await card(page, first).getByText('Denied. It will not run.').waitFor();
    await card(page, second).hover();
    bench.pending = [];
    await card(page, second).getByText('No longer waiting.').waitFor();
    expect(bench.decisions).toEqual([`deny ${first.confirmation_id}`]);
  });

  it('denies and stops the agent with one press', async () => {
    const view = pendingView();
    bench.pending = [view];
    const { page } = await signedIn(browser, bench);
    await button(page, view, 'Deny and stop the agent').click();
    await card(page, view).getByText('Denied. It will not run.').waitFor();
    expect(bench.decisions).toEqual([`deny_and_stop ${view.confirmation_id}`]);
  });

  it('ends a card in view of the owner when its time is over', async () => {
    const view = pendingView({ expires_at: new Date(Date.now() + 2_500).toISOString() });
    bench.pending = [view];
    const { page } = await signedIn(browser, bench);
    await card(page, view).getByText('Ended: you did not answer in time. It will not run.').waitFor();
    expect(await button(page, view, 'Approve once').isDisabled()).toBe(true);
  });

  it('moves nothing under the pointer when another comes or goes', async () => {
    const views = [pendingView(), pendingView(), pendingView()];
    bench.pending = [...views];
    const { page } = await signedIn(browser, bench);
    const last = views[2] ?? pendingView();
    await button(page, last, 'Approve once').hover();
    const before = await card(page, last).boundingBox();
    bench.pending = [pendingView({ staged_at: new Date(0).toISOString() }), last];
    await page.getByText('No longer waiting.').first().waitFor();
    const after = await card(page, last).boundingBox();
    expect(Math.round(after?.y ?? 0)).toBe(Math.round(before?.y ?? -1));
  });

  it('shows a decision of one browser in the other', async () => {
    const view = pendingView();
    bench.pending = [view];
    const [one, two] = [await signedIn(browser, bench), await signedIn(browser, bench)];
    await card(two.page, view).hover();
    await button(one.page, view, 'Deny').click();
    await card(two.page, view).getByText('No longer waiting.').waitFor();
    expect(bench.decisions).toHaveLength(1);
  });

  it('takes 500 at once and shows the first of them', async () => {
    bench.pending = Array.from({ length: 500 }, () => pendingView());
    const { page, errors } = await signedIn(browser, bench);
    await page.getByRole('button', { name: 'Show 460 more' }).click();
    expect(await page.locator('.cards > li').count()).toBe(80);
    expect(errors).toEqual([]);
  });

  it('lets nothing from a screen dress it up', async () => {
    const view = pendingView({
      element: '\u202e<img src=x onerror=alert(1)>\u202c\u0007\nApproved\u2066 by owner',
      window_title: 'x'.repeat(10_000),
      app: '<b>com.bank</b>',
    });
    bench.pending = [view];
    bench.log = [logEntry({ say: '</summary><script>alert(1)</script>\u202edeppilf' })];
    const { page, errors } = await signedIn(browser, bench);
    const text = await card(page, view).textContent();
    expect(text).toContain('<img src=x onerror=alert(1)>');
    expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    expect(text).toContain('show all 10,000 characters');
    expect(await page.locator('#waiting img, #waiting b, main script').count()).toBe(0);
    expect((await card(page, view).boundingBox())?.height).toBeLessThan(700);
    expect(errors).toEqual([]);
  });
});

describe.skipIf(missing)('the page as a whole', () => {
  it('keeps the code out of the address and the history, and a reload signed in', async () => {
    const { page } = await signedIn(browser, bench);
    expect(page.url()).toBe(bench.console.url);
    await page.reload();
    await page.locator('#waiting').waitFor();
    const other = await page.context().newPage();
    await other.goto(bench.console.url);
    await other.getByText('You are signed out.').waitFor();
  });

  it('says when it is stale, and comes back by itself after the host was started again', async () => {
    const { page } = await signedIn(browser, bench);
    await page.getByText('Live', { exact: true }).waitFor();
    await bench.console.close();
    await page.getByText(/^Not up to date/).waitFor();
    bench.pending = [pendingView()];
    await bench.restart().catch(() => bench.restart());
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByText(/^Not up to date/).waitFor({ state: 'detached' });
    await page.locator('.cards > li').waitFor();
  });

  it('stops by one press and lifts by two', async () => {
    const { page } = await signedIn(browser, bench);
    await page.getByRole('button', { name: 'Stop everything' }).click();
    await page.getByText('Stopped. Agents can do nothing until you resume.').waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    expect(bench.decisions).toEqual(['stop']);
    await page.getByRole('button', { name: 'Yes' }).click();
    await page.getByRole('button', { name: 'Stop everything' }).waitFor();
    expect(bench.decisions).toEqual(['stop', 'resume']);
  });

  it('announces a new request to those who do not see it', async () => {
    const { page } = await signedIn(browser, bench);
    bench.pending = [pendingView({ agent: 'anna' })];
    await page
      .locator('[aria-live="polite"]', { hasText: 'New request of anna: tap' })
      .waitFor({ state: 'attached' });
    expect(await page.title()).toBe('(1) Countersign');
  });

  it('is worked by keyboard alone', async () => {
    const view = pendingView();
    bench.pending = [view];
    const { page } = await signedIn(browser, bench);
    await card(page, view).waitFor();
    await page.locator('button.yes:not([disabled])').waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.className')).toBe('skip');
    for (let n = 0; n < 12; n += 1) {
      await page.keyboard.press('Tab');
      if ((await page.evaluate('document.activeElement.textContent')) === 'Deny') break;
    }
    await page.keyboard.press('Enter');
    await card(page, view).getByText('Denied. It will not run.').waitFor();
  });

  it('finds what happened, and shows the record behind it', async () => {
    bench.log = [logEntry(), logEntry({ say: 'tap “Send SMS”: denied', state: 'denied' }), logEntry()];
    const { page } = await signedIn(browser, bench);
    await page.getByLabel('Search').fill('send denied');
    await page.getByText('1 entries').waitFor();
    await page.locator('.entry summary').click();
    expect(await page.locator('.entry pre').textContent()).toContain('"state": "denied"');
    await page.getByRole('button', { name: 'Check the log' }).click();
    await page.getByText('The log is whole: 3 entries.').waitFor();
  });

  it.each([
    ['en-GB', 1_280, false],
    ['en-US', 360, true],
    ['de', 360, false],
    ['es', 1_280, true],
    ['ar', 360, false],
    ['ar', 1_280, true],
    ['ja', 360, true],
    ['hi', 360, false],
  ] as const)('in %s at %i px, dark %s: fits, has no axe violation', async (locale, width, dark) => {
    bench.pending = [
      pendingView({ typed_text: 'See you at six, I bring the cake.' }),
      pendingView({ tool: 'set_text', element: 'الرسالة', typed_text: 'مرحبا 12345', window_title: 'آنا' }),
    ];
    bench.log = [logEntry(), logEntry({ error_code: 'target_changed' })];
    const { page, errors } = await signedIn(browser, bench, { locale, width, dark });
    await page.locator('button.yes:not([disabled])').first().waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    expect(await page.evaluate('document.documentElement.dir')).toBe(locale === 'ar' ? 'rtl' : 'ltr');
    expect(await violations(page)).toEqual([]);
    await page.locator('.settings > summary').click();
    await page.locator('.entry summary').first().click();
    expect(await violations(page)).toEqual([]);
    await page.screenshot({
      path: `${PICTURES}${locale}-${width}-${dark ? 'dark' : 'light'}.png`,
      fullPage: true,
    });
    expect(errors).toEqual([]);
  });
});
