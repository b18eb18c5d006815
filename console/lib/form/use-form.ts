import { type SubmitEvent, useRef, useState } from 'react'
import { ApiError, unknownErrorMessage } from '../http/api-error.ts'
import { dismissToasts, toastError } from '../notify.ts'

const required = 'Please fill in all required fields.'

type Fields = Readonly<Record<string, 'required' | 'optional'>>
type Values<F extends Fields> = Record<keyof F & string, string>

/**
 * Form state with uncontrolled fields. Reports empty required fields without a call, shows the errors of a failed call at
 * the fields and focuses the first one. The mutation shows the toasts of a failed call; the next attempt dismisses them.
 */
export function useForm<const F extends Fields, Result>(
  fields: F,
  submit: (values: Values<F>) => Promise<Result>,
) {
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [pending, setPending] = useState(false)
  const busy = useRef(false)
  const shownMessages = useRef<readonly string[]>([])

  function fail(form: HTMLFormElement, found: Record<string, string>, focuses: boolean) {
    setErrors(found)
    if (!focuses) return
    const first = [...form.elements].find(
      (element) => isAbout(found, element.getAttribute('name')) && !element.matches(':disabled'),
    )
    if (!(first instanceof HTMLElement)) return
    // The field may be in a collapsed section, so open it.
    const folded = first.closest('details')
    if (folded) folded.open = true
    first.focus()
  }

  /**
   * Sends the form. Resolves with undefined if it has errors; with `focuses`, the first field with an error gets the
   * focus.
   */
  async function send(form: HTMLFormElement, focuses = true): Promise<{ result: Result } | undefined> {
    const values = read(form, fields)
    const empty = Object.keys(fields).filter((name) => fields[name] === 'required' && values[name] === '')
    const incomplete = empty.length > 0
    dismissToasts(shownMessages.current.filter((message) => !incomplete || message !== required))
    shownMessages.current = incomplete ? [required] : []
    if (incomplete) {
      toastError(required)
      const found = empty.map((name) => [name, isChoice(form, name) ? 'Choose one.' : 'Fill in this field.'])
      fail(form, Object.fromEntries(found), focuses)
      return undefined
    }
    setErrors({})
    setPending(true)
    try {
      return { result: await submit(values) }
    } catch (error) {
      shownMessages.current = error instanceof ApiError ? error.messages : [unknownErrorMessage]
      if (!(error instanceof ApiError)) throw error
      fail(form, error.fields, focuses)
      return undefined
    } finally {
      setPending(false)
    }
  }

  function onSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    // React events of a form in a dialog bubble to the form of the page, so stop them.
    event.stopPropagation()
    if (busy.current) return
    busy.current = true
    void send(event.currentTarget).finally(() => (busy.current = false))
  }

  return { errors, pending, send, form: { onSubmit, onResetCapture: () => setErrors({}), noValidate: true } }
}

/**
 * Returns whether a field has an error. Errors of list entries, such as `labels.2`, belong to the field of the list.
 */
const isAbout = (errors: Record<string, string>, name: string | null) =>
  Object.keys(errors).some((field) => field === name || (name !== null && field.startsWith(`${name}.`)))

const isChoice = (form: HTMLFormElement, name: string) =>
  [...form.elements].some(
    (element) => element.getAttribute('name') === name && element.matches('[type=radio]'),
  )

function read<F extends Fields>(form: HTMLFormElement, fields: F): Values<F> {
  const data = new FormData(form)
  const entries = Object.keys(fields).map((name) => {
    const value = data.get(name)
    const text = typeof value === 'string' ? value : ''
    return [name, name.includes('password') ? text : text.trim()]
  })
  // oxlint-disable-next-line no-unsafe-type-assertion -- every entry comes from a field of the form
  return Object.fromEntries(entries) as Values<F>
}

export interface TypedField {
  name: string
  value: string
  onChange: (value: string) => void
  error?: string | undefined
}
