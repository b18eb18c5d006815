import { ShieldAlert } from 'lucide-react'
import { AddressText } from '../../lib/address-text.tsx'
import { ReviewWarnings } from '../../lib/review.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { Plan } from './plan-query.ts'
import { PlanTable } from './plan-table.tsx'
import { planSummary } from './plan-words.ts'

/** All that is known of a deployment before it begins: what stands against it, what it may do, and what happens. */
export function PlanView({ plan }: { plan: Plan }) {
  const { services, warnings, powers, allowed, problems } = plan
  return (
    <div className="flex flex-col gap-3">
      {problems.length > 0 && (
        <Notice tone="red" title="It cannot be deployed as it is">
          <ul className="flex flex-col gap-1">
            {problems.map(({ line, column, message }) => (
              <li key={`${line}:${column} ${message}`}>
                {line > 1 && <span className="font-medium">Line {line}: </span>}
                <AddressText revealable>{message}</AddressText>
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {powers.length > 0 && <Powers powers={powers} allowed={allowed} />}
      <ReviewWarnings warnings={warnings} />
      {services.length > 0 && (
        <>
          {services.length > 1 && <p className="text-sm font-medium">{planSummary(services)}</p>}
          <PlanTable services={services} />
        </>
      )}
    </div>
  )
}

/** What makes who controls a container the master of the server. */
const Powers = ({ powers, allowed }: Pick<Plan, 'powers' | 'allowed'>) => (
  <section
    aria-label="Power over the server"
    className="flex gap-3 rounded-lg border border-red/40 bg-red-soft px-4 py-3"
  >
    <ShieldAlert className="mt-0.5 size-4 shrink-0 text-red-ink" aria-hidden />
    <div className="flex min-w-0 flex-col gap-0.5 wrap-anywhere">
      <p className="font-medium">
        It gives containers power over the server{allowed ? '' : ', which needs an admin'}
      </p>
      <div className="text-sm">
        <Sentences>{powers}</Sentences>
      </div>
    </div>
  </section>
)

const Sentences = ({ children }: { children: readonly string[] }) => (
  <ul className="flex flex-col gap-1">
    {children.map((sentence) => (
      <li key={sentence}>
        <AddressText revealable>{sentence}</AddressText>
      </li>
    ))}
  </ul>
)
