/**
 * The small Android as a phone's options and a scenario ask for it, and the same with another scenario in the place
 * of the first. Not for what a scenario says (scenario/) nor for how Android runs (small-android.ts).
 */
import { createHash } from 'node:crypto';
import { newWorld, type World } from './android/world.ts';
import { APPS, CATALOGUE, catalogueOf } from './apps/all.ts';
import type { PhoneClock } from './clock.ts';
import type { TouchLog } from './glass.ts';
import type { PhoneOptions } from './options.ts';
import { scenarioApp } from './scenario/scenario-app.ts';
import type { Scenario } from './scenario/schema.ts';
import { SmallAndroid } from './small-android.ts';
import { readWorld, writeWorld } from './state-folder.ts';

export interface StagedAndroid {
  readonly android: SmallAndroid;
  /** Puts another scenario's app on the phone, everything else as new; what was touched stays counted. */
  show(scenario: Scenario): void;
}

export function stagedAndroid(of: {
  readonly options: PhoneOptions;
  readonly scenario: Scenario | null;
  readonly folder: string;
  readonly clock: PhoneClock;
  readonly touches: TouchLog;
}): StagedAndroid {
  const { options, folder, clock, touches } = of;
  let print = printOf(of.scenario);
  const catalogue = catalogueFor(of.scenario);
  // A world that another text of the scenario left behind says nothing about this one.
  const kept = readWorld(folder, print);
  const android = new SmallAndroid({
    catalogue,
    world: kept ?? worldFor(options, of.scenario, clock),
    clock,
    touches,
    keep: (world) => writeWorld(folder, print, world),
  });
  const open = (scenario: Scenario | null) => {
    if (scenario?.phone.front === true) android.bringUp(scenario.app);
  };
  if (kept === null) open(of.scenario);
  return {
    android,
    show(scenario) {
      print = printOf(scenario);
      android.replace(catalogueFor(scenario), worldFor(options, scenario, clock));
      open(scenario);
    },
  };
}

const printOf = (scenario: Scenario | null) =>
  scenario === null ? null : createHash('sha256').update(JSON.stringify(scenario)).digest('hex');

const catalogueFor = (scenario: Scenario | null) =>
  scenario === null ? CATALOGUE : catalogueOf([...APPS, scenarioApp(scenario)]);

function worldFor(options: PhoneOptions, scenario: Scenario | null, clock: PhoneClock): World {
  const at = new Date();
  const midnightOffset =
    ((at.getHours() * 60 + at.getMinutes()) * 60 + at.getSeconds()) * 1000 - clock.elapsedMs();
  const {
    language = options.language,
    width = options.width,
    height = options.height,
  } = scenario?.phone ?? {};
  const pin = scenario?.phone.pin ?? options.pin;
  const { density } = options;
  return newWorld(catalogueFor(scenario), { language, width, height, density, pin, midnightOffset });
}
