import { Check, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { Button } from '../../ui/button.tsx'
import type { Home } from './queries.ts'

export type ChecklistStep = keyof Home['checklist']

interface ChecklistProps {
  workspaceId: string
  done: Home['checklist']
  /** Steps that the role of the user allows. `early` steps need none of the steps before them. */
  steps: readonly { step: ChecklistStep; title: string; text: string; action: ReactNode; early?: boolean }[]
}

/** First steps in a workspace. The card disappears when all steps are done or the user dismisses it in this browser. */
export function Checklist({ workspaceId, done, steps }: ChecklistProps) {
  const key = `checklist.${workspaceId}`
  const [dismissed, setDismissed] = useState(() => localStorage.getItem(key) !== null)
  const next = steps.find(({ step }) => !done[step])
  if (dismissed || !next) return null
  const count = steps.filter(({ step }) => done[step]).length
  const dismiss = () => {
    localStorage.setItem(key, 'dismissed')
    setDismissed(true)
  }
  return (
    <section aria-labelledby="checklist" className="rounded-lg border border-line bg-raised">
      <header className="flex items-center gap-3 border-b border-line px-4 py-2.5">
        <h2 id="checklist" className="text-base font-semibold">
          Get started
        </h2>
        <span className="flex-1 text-sm text-muted tabular-nums">
          {count} of {steps.length} done
        </span>
        <Button variant="ghost" size="small" icon aria-label="Dismiss" onClick={dismiss}>
          <X aria-hidden />
        </Button>
      </header>
      <ol className="divide-y divide-line">
        {steps.map(({ step, title, text, action, early = false }, index) => (
          <li key={step} className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3">
            <StepMark number={index + 1} done={done[step]} current={step === next.step} />
            <div className={classNames('min-w-0 flex-1', step === next.step && 'basis-60')}>
              <h3 className={classNames('font-medium', done[step] && 'text-muted')}>{title}</h3>
              {done[step] && <span className="sr-only">Done</span>}
              {step === next.step && <p className="text-sm text-muted">{text}</p>}
            </div>
            {(step === next.step || (early && !done[step])) && (
              <span className={classNames('flex flex-wrap gap-2', step === next.step && 'max-sm:pl-9')}>
                {action}
              </span>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}

const StepMark = ({ number, done, current }: { number: number; done: boolean; current: boolean }) => (
  <span
    aria-hidden
    className={classNames(
      'flex size-6 shrink-0 items-center justify-center rounded-full text-xs font-semibold tabular-nums',
      done && 'bg-green-soft text-green-ink',
      !done && (current ? 'bg-accent text-on-accent' : 'bg-hover text-muted'),
    )}
  >
    {done ? <Check className="size-3.5" strokeWidth={3} /> : number}
  </span>
)
