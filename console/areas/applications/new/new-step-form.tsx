import { type ReactNode, type SubmitEvent, useEffect, useRef } from 'react'
import { Link, useLocation } from 'react-router'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { saveTypedField } from './new-draft-store.ts'
import { type FieldErrors, steps, type WizardStep } from './new-steps.ts'
import { Check } from 'lucide-react'
import { classNames } from '../../../ui/class-names.ts'

interface StepFormProps {
  step: WizardStep
  errors: FieldErrors
  next: string
  pending?: string | false
  onNext: () => void
  /** Another way on, beside the next step. */
  shortcut?: ReactNode
  children: ReactNode
}

/** Moves the focus to the first invalid field, or to the heading after a step change. */
export function StepForm({ step, errors, next, pending = false, onNext, shortcut, children }: StepFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const { key } = useLocation()
  const at = steps.findIndex((candidate) => candidate.step === step)
  const back = steps[at - 1]?.step

  useEffect(() => {
    if (key !== 'default') heading.current?.focus({ preventScroll: true })
  }, [key])

  useEffect(() => {
    if (Object.keys(errors).length === 0) return
    const faulty = form.current?.querySelector<HTMLElement>('[aria-invalid=true], [data-invalid]')
    faulty?.closest('details')?.setAttribute('open', '')
    faulty?.focus()
  }, [errors])

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (!pending) onNext()
  }

  return (
    <form
      ref={form}
      onSubmit={submit}
      onInput={saveTypedField}
      noValidate
      data-whole-page
      className="flex flex-col gap-6"
    >
      <h2 ref={heading} tabIndex={-1} className="-mb-2 text-lg font-semibold outline-none">
        {steps[at]?.heading}
      </h2>
      {children}
      <div className="flex justify-end gap-2 max-sm:[&>*]:h-10 max-sm:[&>*]:flex-1">
        {back && <ButtonLink to={`?step=${back}`}>Back</ButtonLink>}
        <Button type="submit" variant={shortcut ? 'secondary' : 'primary'} pending={pending}>
          {next}
        </Button>
        {shortcut}
      </div>
    </form>
  )
}

const at = (step: WizardStep) => steps.findIndex((candidate) => candidate.step === step)

export const Stepper = ({ step, open }: { step: WizardStep; open: WizardStep }) => (
  <nav aria-label="Steps">
    <ol className="flex gap-2 max-sm:gap-1">
      {steps.map((entry, index) => {
        const done = index < at(step)
        const mark = done ? <Check className="size-3.5" aria-hidden /> : index + 1
        const className = classNames(
          'flex flex-1 items-center gap-2 border-t-2 pt-2 text-sm max-sm:flex-col max-sm:items-start max-sm:gap-1',
          done || entry.step === step ? 'border-accent-ink' : 'border-line',
          entry.step === step ? 'font-medium text-ink' : 'text-muted',
        )
        const inside = (
          <>
            <span
              className={classNames(
                'flex size-5 shrink-0 items-center justify-center rounded-full border text-xs tabular-nums max-sm:hidden',
                entry.step === step ? 'border-accent-ink text-accent-ink' : 'border-edge',
              )}
            >
              {mark}
            </span>
            {entry.label}
          </>
        )
        return (
          <li key={entry.step} className="flex min-w-0 flex-1">
            {entry.step !== step && index <= at(open) ? (
              <Link to={`?step=${entry.step}`} className={classNames(className, 'hover:text-ink')}>
                {inside}
              </Link>
            ) : (
              <span aria-current={entry.step === step ? 'step' : undefined} className={className}>
                {inside}
              </span>
            )}
          </li>
        )
      })}
    </ol>
  </nav>
)
