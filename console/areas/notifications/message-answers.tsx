import { Badge } from '../../ui/badge.tsx'
import { Moment } from '../../ui/time.tsx'
import type { Message } from './queries.ts'

/** What the receiver answered each time, the latest first. Of many tries only the latest are kept. */
export function MessageAnswers({ answers, tries }: Pick<Message, 'answers' | 'tries'>) {
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
