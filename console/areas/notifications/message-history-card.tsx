import { AddressText, useMaskedText } from '../../lib/address.tsx'
import { formatMilliseconds } from '../../../contract/shared/duration.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { History, RotateCw, SearchX } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { dialogOpenedState, useDialog, dialogLink } from '../../lib/use-dialog.ts'
import { useParam } from '../../lib/use-param.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadMore } from '../../ui/table/load-more.tsx'
import { Select } from '../../ui/form/select.tsx'
import type { Column } from '../../ui/table/table.tsx'
import { DateTime, Time } from '../../ui/time.tsx'
import { messageBadges, messageKindLabel } from './channel-texts.ts'
import { type Message, messagesQuery, useResendMessage } from './queries.ts'
import { toast } from 'sonner'
import { useAllPages } from '../../lib/http/paging.ts'
import { incidentPath } from '../../paths.ts'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { QueryTable } from '../../ui/table/query-table.tsx'
import { ErrorText } from '../../ui/problem.tsx'

const filters: { value: Message['status'] | ''; label: string }[] = [
  { value: '', label: 'All messages' },
  { value: 'sent', label: 'Sent' },
  { value: 'waiting', label: 'Queued' },
  { value: 'failed', label: 'Failed' },
]

export function MessageHistoryCard({ id, manages }: { id: string; manages: boolean }) {
  const [params] = useSearchParams()
  const [statusParam, setStatus] = useParam('status')
  const status = filters.find(({ value }) => value === statusParam)?.value ?? ''
  const query = useInfiniteQuery(messagesQuery(id, status))
  return (
    <>
      <Card
        title="History"
        description="Messages sent in the last 30 days, with responses."
        action={
          <div className="w-44">
            <Select aria-label="Show" options={filters} value={status} onValueChange={setStatus} />
          </div>
        }
        flush
      >
        <QueryTable
          label="Messages"
          things="messages"
          query={query}
          empty={
            status === ''
              ? { icon: History, title: 'No messages yet', text: 'Send a test message to check the channel.' }
              : {
                  icon: SearchX,
                  title: 'No matching messages',
                  action: <Button onClick={() => setStatus('')}>Show all messages</Button>,
                }
          }
          columns={columns}
          rowKey={(message) => message.id}
          href={(message) => dialogLink(params, message.id)}
          linkState={dialogOpenedState}
        />
      </Card>
      <LoadMore query={query} />
      <MessageDialog channelId={id} query={query} manages={manages} />
    </>
  )
}

const columns: [Column<Message>, ...Column<Message>[]] = [
  {
    head: 'Message',
    cell: (message) => (
      <span className="flex min-w-0 flex-col sm:min-w-40 sm:py-1">
        <span dir="auto" className="line-clamp-2 wrap-anywhere sm:text-left">
          <AddressText>{message.title}</AddressText>
        </span>
        {messageKindLabel(message) !== null && (
          <span className="font-normal text-muted">{messageKindLabel(message)}</span>
        )}
      </span>
    ),
  },
  {
    head: 'Status',
    phone: 'first-end',
    cell: (message) => (
      <Badge tone={messageBadges[message.status].tone}>{messageBadges[message.status].word}</Badge>
    ),
  },
  {
    head: 'Response',
    phone: 'second',
    cell: ({ responses }) => (
      <span className="block sm:py-1">
        <span dir="auto" className="line-clamp-1 wrap-anywhere text-muted sm:line-clamp-2 sm:text-left">
          <AddressText>{responses.at(-1)?.response ?? 'None yet'}</AddressText>
        </span>
      </span>
    ),
  },
  {
    head: 'Attempts',
    cell: ({ attempts }) => attempts,
    align: 'right',
    narrow: true,
    roomy: true,
    desk: true,
  },
  { head: 'Time', cell: ({ created_at: at }) => <Time at={at} />, narrow: true, phone: 'second-end' },
]

interface MessageDialogProps {
  channelId: string
  /** History query. Older pages are loaded until the requested message is found. */
  query: Parameters<typeof useAllPages>[0] & { data: readonly Message[] | undefined; error: Error | null }
  manages: boolean
}

function MessageDialog({ channelId, query, manages }: MessageDialogProps) {
  const { dialog: id, close } = useDialog()
  const mask = useMaskedText()
  const wanted = id.startsWith('msg_')
  const message = query.data?.find((row) => row.id === id)
  useAllPages(query, wanted && !message)
  if (!wanted) return null
  const looking = !message && !query.error && (!query.data || query.hasNextPage)
  return (
    <Dialog open wide onOpenChange={close} title={mask(message?.title ?? 'Message')}>
      {message && <Shown channelId={channelId} message={message} manages={manages} />}
      {looking && <Skeleton className="h-40 w-full" />}
      {!message && !looking && query.error && <ErrorText error={query.error} />}
      {!message && !looking && !query.error && (
        <EmptyState title="Message not found">
          The message is older than 30 days or hidden by the filter.
        </EmptyState>
      )}
    </Dialog>
  )
}

function Shown({ channelId, message, manages }: { channelId: string; message: Message; manages: boolean }) {
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

/** Lists responses, latest first. The server keeps only the latest of many attempts. */
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
              <AddressText revealable>{response}</AddressText>
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
