/** The phones and how they are. Not for what waits. */
import type { DeviceView } from '../engine/engine.ts';
import { Foreign } from './foreign.tsx';
import { moment, useLanguage, useMessages } from './language.ts';

export function Phones({
  devices,
  now,
}: {
  readonly devices: readonly DeviceView[] | null;
  readonly now: number;
}) {
  const t = useMessages();
  const code = useLanguage();
  return (
    <section aria-labelledby="phones-h">
      <h2 id="phones-h">{t('phones')}</h2>
      {devices === null || devices.length === 0 ? (
        <p class="quiet">{t(devices === null ? 'connecting' : 'phones_none')}</p>
      ) : (
        <ul class="phones">
          {devices.map((device) => (
            <li key={device.device_id} class="card">
              <h3>
                <span class={`dot ${device.health}`} aria-hidden="true" />
                <bdi class="foreign">{device.device_id}</bdi>{' '}
                <span class="quiet">
                  {device.model === null ? null : <Foreign text={device.model} />} · {t(device.health)}
                </span>
              </h3>
              {device.facts.length === 0 ? null : (
                <ul class="facts">
                  {device.facts.map((fact) => (
                    <li key={fact.code}>
                      <Foreign text={fact.say} />
                    </li>
                  ))}
                </ul>
              )}
              {device.last_seen_at === null ? null : (
                <p class="quiet">{t('last_seen', { time: moment(code, device.last_seen_at, now) })}</p>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
