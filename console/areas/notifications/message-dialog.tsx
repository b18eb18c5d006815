import { RotateCw } from 'lucide-react'
import { toast } from 'sonner'
import { useDialog } from '../../lib/use-dialog.ts'
import { useAllPages } from '../../lib/http/use-all-pages.ts'
import { incidentPath } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { DateTime } from '../../ui/time.tsx'
import { useResendMessage } from './mutations.ts'
import { messageKindLabel, messageBadges } from './channel-texts.ts'
import type { Message } from './queries.ts'

interface MessageDialogProps {
  channelId: string
  /** Older pages are loaded until the requested message is found. */
  query: Parameters<typeof useAllPages>[0] & { data: readonly Message[] | undefined; isError: boolean }
  manages: boolean
}

/** Opened by URL. */
export function MessageDialog({ channelId, query, manages }: MessageDialogProps) {
  const { dialog: id, close } = useDialog()
  const wanted = id.startsWith('msg_')
  const message = query.data?.find((one) => one.id === id)
  useAllPages(query, wanted && !message)
  if (!wanted) return null
  const looking = !message && !query.isError && (!query.data || query.hasNextPage)
  return (
    <Dialog open wide onOpenChange={close} title={message?.title ?? 'Message'}>
      {message && <Shown channelId={channelId} message={message} manages={manages} />}
      {looking && <Skeleton className="h-40 w-full" />}
      {!message && !looking && (
        <EmptyState title="Message not found">It is older than 30 days or hidden by the filter.</EmptyState>
      )}
    </Dialog>
  )
}

interface ShownProps {
  channelId: string
  message: Message
  manages: boolean
}

function Shown({ channelId, message, manages }: ShownProps) {
  const resend = useResendMessage(channelId)
  const send = () => resend.mutate(message.id, { onSuccess: () => toast.success('Message resent') })
  return (
    <>
      <DefinitionList items={messageFacts(message)} dense />
      <MessageResponses responses={message.responses} attempts={message.attempts} />
      {manages && message.status === 'failed' && (
        <DialogActions>
          <Button pending={resend.isPending && 'Sending…'} onClick={send}>
            <RotateCw aria-hidden />
            Resend
          </Button>
        </DialogActions>
      )}
    </>
  )
}

const messageFacts = (message: Message) => [
  {
    term: 'Status',
    value: <Badge tone={messageBadges[message.status].tone}>{messageBadges[message.status].word}</Badge>,
  },
  ...(messageKindLabel(message) === null ? [] : [{ term: 'Kind', value: messageKindLabel(message) }]),
  { term: 'Created', value: <DateTime at={message.created_at} /> },
  ...(message.sent_at === null ? [] : [{ term: 'Sent', value: <DateTime at={message.sent_at} /> }]),
  { term: 'ID', value: <code className="font-mono text-sm">{message.id}</code> },
  ...(message.incident_id === null
    ? []
    : [
        {
          term: 'Incident',
          value: <TextLink to={incidentPath(message.incident_id)}>View incident</TextLink>,
        },
      ]),
]

/** Latest first; only the latest of many attempts are kept. */
function MessageResponses({ responses, attempts }: Pick<Message, 'responses' | 'attempts'>) {
  if (responses.length === 0) return <p className="text-muted">Not sent yet.</p>
  return (
    <section className="flex flex-col gap-2">
      <h3 className="font-medium">{attempts === 1 ? 'Response' : `Responses to ${attempts} attempts`}</h3>
      <ol className="divide-y divide-line rounded-md border border-line">
        {responses.toReversed().map(({ at, ok, response, duration_ms: duration }) => (
          <li key={at} className="flex flex-col gap-1 px-3 py-2">
            <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 text-sm">
              <Badge tone={ok ? 'green' : 'red'}>{ok ? 'Delivered' : 'Failed'}</Badge>
              <span className="text-muted">
                <DateTime at={at} />, {formatMilliseconds(duration)}
              </span>
            </div>
            <p dir="auto" className="text-sm wrap-anywhere">
              {response}
            </p>
          </li>
        ))}
      </ol>
      {attempts > responses.length && (
        <p className="text-sm text-muted">Responses to earlier attempts are not kept.</p>
      )}
    </section>
  )
}

const formatMilliseconds = (ms: number) => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`)
