import { useState } from 'react'
import { toast } from 'sonner'
import { formatCount } from '../../../contract/shared/format-list.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { type Channel, useSendFiring } from './queries.ts'

/** Offers to send incidents that fired before the channel was added or turned on. */
export function FiringOffer({ channel: { id, name, unsent_incidents: count } }: { channel: Channel }) {
  const [declined, setDeclined] = useState(false)
  const send = useSendFiring(id)
  if (count === 0 || declined) return null
  const incidents = formatCount(count, 'firing incident')
  const onSuccess = ({ queued }: { queued: number }) =>
    toast.success(`${formatCount(queued, 'message')} queued`)
  return (
    <Notice
      tone="yellow"
      title={`${incidents} not sent to ${name}`}
      action={
        <>
          <Button onClick={() => setDeclined(true)}>Not now</Button>
          <Button
            variant="primary"
            pending={send.isPending && 'Sending…'}
            onClick={() => send.mutate(undefined, { onSuccess })}
          >
            Send {incidents} now
          </Button>
        </>
      }
    >
      {count === 1 ? 'The incident' : 'The incidents'} started before this channel was added or turned on.
    </Notice>
  )
}
