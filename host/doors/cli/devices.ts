/** `countersign devices`: the phones the host knows, with their health. */
import type { Command } from 'commander';
import type { DeviceView } from '../../engine/engine.ts';
import { type CommonOptions, carry, commandOf } from './commands.ts';
import { withHost } from './running-host.ts';
import { EXIT, plain } from './terminal.ts';

function line(device: DeviceView): string {
  const facts = device.facts.map((fact) => `\n    ${plain(fact.say)}`).join('');
  return `${device.device_id}  ${plain(device.model ?? 'unknown model')}  ${device.health.replace('_', ' ')}${facts}`;
}

export function devicesCommand(): Command {
  return commandOf('devices', 'Lists the phones and their health.').action((options: CommonOptions) =>
    carry(options.json === true, async () => {
      const items = await withHost(options.data, (engine) => engine.owner.devices());
      return {
        text: items.length === 0 ? 'No phone is known yet.' : items.map(line).join('\n'),
        object: { items, count: items.length },
        exit: EXIT.held,
      };
    }),
  );
}
