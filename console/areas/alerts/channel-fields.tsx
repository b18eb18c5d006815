import { useId } from 'react'
import { Checkbox, Radio } from '../../ui/form/checkbox.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { AlertChannel } from './alert-choices.ts'
import type { AlertFieldsPartProps } from './alert-fields.tsx'

export function ChannelFields(
  props: AlertFieldsPartProps & { channels: readonly AlertChannel[] | undefined },
) {
  const { draft, onChange, errors, channels } = props
  const id = useId()
  return (
    <fieldset className="flex min-w-0 flex-col gap-2" aria-describedby={errors['channels'] && `${id}-error`}>
      <legend className="mb-1.5 text-sm font-medium">Notify</legend>
      <Radio
        name="everybody"
        label="All channels, including future ones"
        checked={draft.everybody}
        onChange={() => onChange({ ...draft, everybody: true })}
      />
      <Radio
        name="everybody"
        label="Selected channels"
        checked={!draft.everybody}
        onChange={() => onChange({ ...draft, everybody: false })}
      />
      {!draft.everybody && (
        <div className="flex max-h-48 flex-col gap-2 overflow-y-auto pl-6.5">
          {!channels && <Skeleton className="h-5 w-32" />}
          {channels && draft.channels.length === 0 && (
            <p className="text-sm text-muted">
              {channels.length === 0
                ? 'No channels yet. Notifications are not sent.'
                : 'Select at least one channel to get notified.'}
            </p>
          )}
          {channels?.map((channel) => (
            <Checkbox
              key={channel.id}
              name="channels"
              label={<bdi className="wrap-anywhere">{channel.name}</bdi>}
              help={channel.help}
              checked={draft.channels.includes(channel.id)}
              onChange={({ target }) =>
                onChange({ ...draft, channels: turned(draft.channels, channel.id, target.checked) })
              }
            />
          ))}
        </div>
      )}
      {errors['channels'] && (
        <p id={`${id}-error`} className="text-sm text-red-ink">
          {errors['channels']}
        </p>
      )}
    </fieldset>
  )
}

function turned(channels: readonly string[], id: string, on: boolean) {
  const others = channels.filter((one) => one !== id)
  return on ? [...others, id] : others
}
