import { type ReactNode, type SubmitEvent, useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { saveTypedField } from './new-draft-store.ts'
import { type FieldErrors, type WizardStep, steps } from './new-steps.ts'

interface StepFormProps {
  step: WizardStep
  errors: FieldErrors
  next: string
  pending?: string | false
  onNext: () => void
  children: ReactNode
}

/** Moves the focus to the first invalid field, or to the heading after a step change. */
export function StepForm({ step, errors, next, pending = false, onNext, children }: StepFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const { key } = useLocation()
  const at = steps.findIndex((one) => one.step === step)
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
        <Button type="submit" variant="primary" pending={pending}>
          {next}
        </Button>
      </div>
    </form>
  )
}
