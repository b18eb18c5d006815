import { CircleCheck } from 'lucide-react'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { Home } from './queries.ts'

const numbers = new Intl.NumberFormat('en')

export function Counts({ home, failed }: { home: Home | undefined; failed: boolean }) {
  const counts = [
    { label: 'Servers', value: home?.servers, to: paths.servers },
    { label: 'Applications', value: home?.applications, to: paths.applications },
    { label: 'Deploys', value: home?.deploys, note: 'last 30 days' },
  ]
  return (
    <section
      aria-label="Counts"
      className="flex flex-wrap content-start items-center gap-x-5 gap-y-1 text-muted max-sm:min-h-11"
    >
      {counts.map(({ label, value, to, note }) => {
        const content = (
          <>
            <Figure value={value} failed={failed} />
            <span>{label}</span>
          </>
        )
        return (
          <span key={label} className="inline-flex items-center gap-1">
            {to === undefined ? (
              <span className="inline-flex gap-1">{content}</span>
            ) : (
              <Link to={to} className="inline-flex gap-1 rounded-sm hover:text-ink hover:underline">
                {content}
              </Link>
            )}
            {note && <span className="text-sm">({note})</span>}
          </span>
        )
      })}
      {home && home.attention.length === 0 && home.servers + home.applications > 0 && (
        <span className="inline-flex items-center gap-1.5">
          <CircleCheck className="size-4 text-green-ink" aria-hidden />
          All clear
        </span>
      )}
    </section>
  )
}

function Figure({ value, failed }: { value: number | undefined; failed: boolean }) {
  if (value !== undefined)
    return <span className="font-semibold text-ink tabular-nums">{numbers.format(value)}</span>
  return failed ? <span title="Could not load">–</span> : <Skeleton sized className="my-0.5 h-4 w-4" />
}
