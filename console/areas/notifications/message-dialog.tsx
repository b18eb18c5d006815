import { RotateCw } from 'lucide-react'
import { toast } from 'sonner'
import { useDialog } from '../../lib/use-dialog.ts'
import { useEveryPage } from '../../lib/http/use-every-page.ts'
import { incidentPath } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { Moment } from '../../ui/time.tsx'
import { useSendAgain } from './changes.ts'
import { kindWord, messageLooks } from './channel-words.ts'
import type { Message } from './queries.ts'

interface MessageDialogProps {
  channelId: string
  /** The messages, of which older ones are looked through for the one that is asked for. */
  query: Parameters<typeof useEveryPage>[0] & { data: readonly Message[] | undefined; isError: boolean }
  manages: boolean
}

/** Open while the address names a message. */
export function MessageDialog({ channelId, query, manages }: MessageDialogProps) {
  const { dialog: id, close } = useDialog()
  const wanted = id.startsWith('msg_')
  const message = query.data?.find((one) => one.id === id)
  useEveryPage(query, wanted && !message)
  if (!wanted) return null
  const looking = !message && !query.isError && (!query.data || query.hasNextPage)
  return (
    <Dialog open wide onOpenChange={close} title={message?.title ?? 'Message'}>
      {message && <Shown channelId={channelId} message={message} manages={manages} />}
      {looking && <Skeleton className="h-40 w-full" />}
      {!message && !looking && (
        <EmptyState title="There is no such message here">
          It is older than 30 days, or is not among those that are shown.
        </EmptyState>
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
  const again = useSendAgain(channelId)
  const send = () => again.mutate(message.id, { onSuccess: () => toast.success('It is sent once more.') })
  return (
    <>
      <DefinitionList items={factsOf(message)} dense />
      <MessageAnswers answers={message.answers} tries={message.tries} />
      {manages && message.status === 'failed' && (
        <DialogActions>
          <Button pending={again.isPending && 'Sending…'} onClick={send}>
            <RotateCw aria-hidden />
            Send again
          </Button>
        </DialogActions>
      )}
    </>
  )
}

const factsOf = (message: Message) => [
  {
    term: 'Status',
    value: <Badge tone={messageLooks[message.status].tone}>{messageLooks[message.status].word}</Badge>,
  },
  ...(kindWord(message) === null ? [] : [{ term: 'Kind', value: kindWord(message) }]),
  { term: 'Written', value: <Moment at={message.created_at} /> },
  ...(message.sent_at === null ? [] : [{ term: 'Sent', value: <Moment at={message.sent_at} /> }]),
  { term: 'Id', value: <code className="font-mono text-sm">{message.id}</code> },
  ...(message.incident_id === null
    ? []
    : [
        {
          term: 'About',
          value: <TextLink to={incidentPath(message.incident_id)}>What was the matter</TextLink>,
        },
      ]),
]

/** What the receiver answered each time, the latest first. Of many tries only the latest are kept. */
function MessageAnswers({ answers, tries }: Pick<Message, 'answers' | 'tries'>) {
  if (answers.length === 0) return <p className="text-muted">It was not tried yet.</p>
  return (
    <section className="flex flex-col gap-2">
      <h3 className="font-medium">{tries === 1 ? 'The answer' : `Answers of ${tries} tries`}</h3>
      <ol className="divide-y divide-line rounded-md border border-line">
        {answers.toReversed().map(({ at, ok, answer, took_ms: took }) => (
          <li key={at} className="flex flex-col gap-1 px-3 py-2">
            <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 text-sm">
              <Badge tone={ok ? 'green' : 'red'}>{ok ? 'Taken' : 'Not taken'}</Badge>
              <span className="text-muted">
                <Moment at={at} />, {tookOf(took)}
              </span>
            </div>
            <p dir="auto" className="text-sm wrap-anywhere">
              {answer}
            </p>
          </li>
        ))}
      </ol>
      {tries > answers.length && (
        <p className="text-sm text-muted">Of earlier tries the answers are not kept.</p>
      )}
    </section>
  )
}

const tookOf = (ms: number) => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`)
