import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Time } from '../../ui/time.tsx'
import { type Notification, useResumeChannel, useUpdateChannel } from './queries.ts'
import { queuedText } from './channel-texts.ts'
import { AddressText } from '../../lib/address.tsx'

/** Explains why a channel does not deliver and what to do. Healthy channels have no notice. */
export function ChannelNotice({ channel, manages }: { channel: Notification; manages: boolean }) {
  const { id, name, state, reason, queued, failing_since: since, next_attempt_at: next } = channel
  const queue = queuedText(queued)
  if (state === 'paused')
    return (
      <Notice
        tone="red"
        title={`${name} is paused after repeated failures`}
        action={manages && <Resume id={id} label="Resume" />}
      >
        {reason && (
          <p>
            <AddressText revealable>{reason}</AddressText>
          </p>
        )}
        <p className="text-muted">
          {queue}{' '}
          {manages
            ? 'Fix the settings, then resume the channel.'
            : 'Ask a workspace admin to resume the channel.'}
        </p>
      </Notice>
    )
  if (state === 'failing')
    return (
      <Notice
        tone="yellow"
        title={`Messages to ${name} are failing`}
        action={manages && <Resume id={id} label="Retry now" />}
      >
        {reason && (
          <p>
            <AddressText revealable>{reason}</AddressText>
          </p>
        )}
        <p className="text-muted">
          {queue}
          {since !== null && (
            <>
              {' '}
              Failing since <Time at={since} />.
            </>
          )}
          {next !== null && (
            <>
              {' '}
              Next attempt <Time at={next} />.
            </>
          )}
        </p>
      </Notice>
    )
  if (state === 'off')
    return (
      <Notice tone="neutral" title={`${name} is off`} action={manages && <SwitchOn id={id} />}>
        No messages are sent through this channel.
      </Notice>
    )
  return null
}

function Resume({ id, label }: { id: string; label: string }) {
  const resume = useResumeChannel(id)
  return (
    <Button pending={resume.isPending && 'Sending…'} onClick={() => resume.mutate(undefined)}>
      {label}
    </Button>
  )
}

function SwitchOn({ id }: { id: string }) {
  const update = useUpdateChannel(id)
  return (
    <Button pending={update.isPending && 'Turning on…'} onClick={() => update.mutate({ enabled: true })}>
      Turn on
    </Button>
  )
}
