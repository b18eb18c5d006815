import { type ReactNode, type SubmitEvent, useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { keepTyped } from './new-draft-store.ts'
import { type Errors, type Step, steps } from './new-steps.ts'

interface StepFormProps {
  step: Step
  errors: Errors
  /** What the button says. */
  next: string
  /** "Checking…", while that is under way. */
  pending?: string | false
  onNext: () => void
  children: ReactNode
}

const fields = 'input:not([type=hidden]), textarea, [role=combobox]'

/** One step. The first fault of it gets the focus; without one, and when one comes from another step, its first field. */
export function StepForm({ step, errors, next, pending = false, onNext, children }: StepFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const { key } = useLocation()
  const back = steps[steps.findIndex((one) => one.step === step) - 1]?.step

  useEffect(() => {
    const first = form.current?.querySelector<HTMLElement>(`:is(${fields}):enabled`)
    if (key !== 'default') first?.focus({ preventScroll: true })
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
    <form ref={form} onSubmit={submit} onInput={keepTyped} noValidate className="flex flex-col gap-6">
      {children}
      <div className="flex justify-end gap-2 max-sm:[&>*]:h-10 max-sm:[&>*]:flex-1">
        {back && <ButtonLink to={`?step=${back}`}>Back</ButtonLink>}
        <Button type="submit" variant="primary" pending={pending}>
          {next}
        </Button>
      </div>
    </form>
  )
}
