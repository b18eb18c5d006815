import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Time } from '../../ui/time.tsx'
import { useResumeChannel, useUpdateChannel } from './changes.ts'
import { waitingWords } from './channel-words.ts'
import type { Notification } from './queries.ts'

interface ChannelNoticeProps {
  channel: Notification
  manages: boolean
}

/** Why nobody is told through a channel now, and what helps. Nothing while all is well. */
export function ChannelNotice({ channel, manages }: ChannelNoticeProps) {
  const { id, name, state, reason, waiting, failing_since: since, next_try_at: next } = channel
  const wait = waitingWords(waiting)
  if (state === 'paused')
    return (
      <Notice
        tone="red"
        title={`${name} is paused, as nothing gets through`}
        action={manages && <Resume id={id} label="Resume" />}
      >
        {reason && <p>{reason}</p>}
        <p className="text-muted">
          {wait} {manages ? 'Correct its settings, or take it up again.' : 'An admin can take it up again.'}
        </p>
      </Notice>
    )
  if (state === 'failing')
    return (
      <Notice
        tone="yellow"
        title={`Messages do not get through to ${name}`}
        action={manages && <Resume id={id} label="Try now" />}
      >
        {reason && <p>{reason}</p>}
        <p className="text-muted">
          {wait}
          {since !== null && (
            <>
              {' '}
              It began <Time at={since} />.
            </>
          )}
          {next !== null && (
            <>
              {' '}
              The next try is <Time at={next} />.
            </>
          )}
        </p>
      </Notice>
    )
  if (state === 'off')
    return (
      <Notice tone="neutral" title={`${name} is switched off`} action={manages && <SwitchOn id={id} />}>
        Nobody is told anything through it.
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
    <Button pending={update.isPending && 'Switching on…'} onClick={() => update.mutate({ enabled: true })}>
      Switch on
    </Button>
  )
}
