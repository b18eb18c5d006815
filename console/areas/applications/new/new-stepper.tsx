import { Check } from 'lucide-react'
import { Link } from 'react-router'
import { classNames } from '../../../ui/class-names.ts'
import { type WizardStep, steps } from './new-steps.ts'

interface StepperProps {
  step: WizardStep
  /** The last step that can be opened. */
  open: WizardStep
}

const at = (step: WizardStep) => steps.findIndex((one) => one.step === step)

export function Stepper({ step, open }: StepperProps) {
  return (
    <nav aria-label="Steps">
      <ol className="flex gap-2 max-sm:gap-1">
        {steps.map((one, index) => {
          const done = index < at(step)
          const mark = done ? <Check className="size-3.5" aria-hidden /> : index + 1
          const look = classNames(
            'flex flex-1 items-center gap-2 border-t-2 pt-2 text-sm max-sm:flex-col max-sm:items-start max-sm:gap-1',
            done || one.step === step ? 'border-accent-ink' : 'border-line',
            one.step === step ? 'font-medium text-ink' : 'text-muted',
          )
          const inside = (
            <>
              <span
                className={classNames(
                  'flex size-5 shrink-0 items-center justify-center rounded-full border text-xs tabular-nums max-sm:hidden',
                  one.step === step ? 'border-accent-ink text-accent-ink' : 'border-edge',
                )}
              >
                {mark}
              </span>
              {one.label}
            </>
          )
          return (
            <li key={one.step} className="flex min-w-0 flex-1">
              {one.step !== step && index <= at(open) ? (
                <Link to={`?step=${one.step}`} className={classNames(look, 'hover:text-ink')}>
                  {inside}
                </Link>
              ) : (
                <span aria-current={one.step === step ? 'step' : undefined} className={look}>
                  {inside}
                </span>
              )}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
