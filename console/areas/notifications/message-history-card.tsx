import { useInfiniteQuery } from '@tanstack/react-query'
import { History, SearchX } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { dialogOpenedState } from '../../lib/use-dialog.ts'
import { useParam } from '../../lib/use-param.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadMore } from '../../ui/table/load-more.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Select } from '../../ui/form/select.tsx'
import { type Column, Table } from '../../ui/table/table.tsx'
import { Time } from '../../ui/time.tsx'
import { messageKindLabel, messageBadges } from './channel-texts.ts'
import { MessageDialog } from './message-dialog.tsx'
import { type Message, messagesQuery } from './queries.ts'

const filters: { value: Message['status'] | ''; label: string }[] = [
  { value: '', label: 'All messages' },
  { value: 'sent', label: 'Sent' },
  { value: 'waiting', label: 'Queued' },
  { value: 'failed', label: 'Failed' },
]

export function MessageHistoryCard({ id, manages }: { id: string; manages: boolean }) {
  const [params] = useSearchParams()
  const [asked, setStatus] = useParam('status')
  const status = filters.find(({ value }) => value === asked)?.value ?? ''
  const query = useInfiniteQuery(messagesQuery(id, status))
  const { data: messages, isError, refetch } = query
  const none = messages?.length === 0
  const lost = isError && !messages
  return (
    <>
      <Card
        title="History"
        description="Messages of the last 30 days and the responses to them."
        action={
          <div className="w-44">
            <Select aria-label="Show" options={filters} value={status} onValueChange={setStatus} />
          </div>
        }
        flush
      >
        {none && status === '' && (
          <EmptyState icon={History} title="No messages yet">
            Send a test message to try the channel.
          </EmptyState>
        )}
        {none && status !== '' && (
          <EmptyState
            icon={SearchX}
            title="No matching messages"
            action={<Button onClick={() => setStatus('')}>Show all messages</Button>}
          />
        )}
        {lost && (
          <Problem title="Could not load messages" onRetry={() => void refetch()}>
            Try again in a moment.
          </Problem>
        )}
        {!none && !lost && (
          <Table
            label="Messages"
            columns={columns}
            rows={messages}
            rowKey={(message) => message.id}
            href={(message) => `?${withDialog(params, message.id)}`}
            linkState={dialogOpenedState}
          />
        )}
      </Card>
      <LoadMore query={query} />
      <MessageDialog channelId={id} query={query} manages={manages} />
    </>
  )
}

/** Keeps the filter while the dialog is open. */
function withDialog(params: URLSearchParams, id: string): string {
  const after = new URLSearchParams(params)
  after.set('dialog', id)
  return after.toString()
}

const columns: [Column<Message>, ...Column<Message>[]] = [
  {
    head: 'Message',
    cell: (message) => (
      <span className="flex min-w-0 flex-col sm:min-w-40 sm:py-1">
        <span dir="auto" title={message.title} className="line-clamp-2 wrap-anywhere sm:text-left">
          {message.title}
        </span>
        {messageKindLabel(message) !== null && (
          <span className="font-normal text-muted">{messageKindLabel(message)}</span>
        )}
      </span>
    ),
  },
  {
    head: 'Status',
    cell: (message) => (
      <Badge tone={messageBadges[message.status].tone}>{messageBadges[message.status].word}</Badge>
    ),
  },
  {
    head: 'Response',
    cell: ({ responses }) => (
      <span className="block sm:py-1">
        <span
          dir="auto"
          title={responses.at(-1)?.response}
          className="line-clamp-2 wrap-anywhere text-muted sm:text-left"
        >
          {responses.at(-1)?.response ?? 'None yet'}
        </span>
      </span>
    ),
  },
  { head: 'Attempts', cell: ({ attempts }) => attempts, align: 'right', narrow: true, roomy: true },
  { head: 'Time', cell: ({ created_at: at }) => <Time at={at} />, narrow: true },
]
