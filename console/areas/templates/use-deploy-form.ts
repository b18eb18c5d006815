import { useState } from 'react'
import { useNavigate } from 'react-router'
import { ApiError } from '../../lib/http/api-error.ts'
import { dismissToasts, notify, toastError } from '../../lib/notify.ts'
import { useDraft } from '../../lib/form/use-draft.tsx'
import { firstDeploymentPath } from '../../paths.ts'
import { inputFieldName } from './input-fields.tsx'
import {
  type DeployTemplateBody,
  reviewTemplate,
  type TemplateDetails,
  type TemplateInput,
  type TemplateReviewResult,
  useDeployTemplate,
} from './queries.ts'

type Errors = Readonly<Record<string, string>>
const incomplete = 'Please fill in all required fields.'

export function useDeployForm(template: TemplateDetails) {
  const draft = useDraft(initialDraft(template), `template ${template.id}`)
  const [errors, setErrors] = useState<Errors>({})
  const [refusals, setRefusals] = useState(0)
  const [review, setReview] = useState<TemplateReviewResult>()
  const [reviewing, setReviewing] = useState(false)
  const deploy = useDeployTemplate(template.id)
  const navigate = useNavigate()

  function put(name: string, value: string) {
    draft.put(name, value)
    // A change makes the review outdated.
    setReview(undefined)
    if (name in errors)
      setErrors(Object.fromEntries(Object.entries(errors).filter(([field]) => field !== name)))
  }

  function isComplete(): boolean {
    const empty = missingFields(template, draft.typed)
    setErrors(Object.fromEntries(empty.map((field) => [field, fault(field)])))
    dismissToasts([incomplete])
    if (empty.length === 0) return true
    toastError(incomplete)
    setRefusals(refusals + 1)
    return false
  }

  function refuse(fields: Errors) {
    setErrors(placed(template, draft.typed, fields))
    setRefusals(refusals + 1)
  }

  function fail(error: unknown) {
    if (!(error instanceof ApiError)) throw error
    refuse(error.fields)
  }

  async function openReview() {
    if (!isComplete()) return
    setReviewing(true)
    try {
      const review = await reviewTemplate(template.id, toDeployBody(template, draft.typed))
      const problems = Object.entries(review.problems).map(([field, [first = '']]) => [field, first])
      if (problems.length > 0) refuse(Object.fromEntries(problems))
      else setReview(review)
    } catch (error) {
      notify(error)
      fail(error)
    } finally {
      setReviewing(false)
    }
  }

  async function send() {
    if (!isComplete()) return
    try {
      const { application, deployment } = await deploy.mutateAsync(toDeployBody(template, draft.typed))
      draft.drop()
      void navigate(firstDeploymentPath(application.id, deployment.id))
    } catch (error) {
      fail(error)
    }
  }

  return {
    typed: draft.typed,
    put,
    errors,
    /** Number of rejected submissions, which moves the focus to the error each time. */
    refusals,
    review,
    reviewing,
    openReview,
    send,
    sending: deploy.isPending,
  }
}

const fault = (field: string) => (field === 'server_id' ? 'Choose a server.' : 'Fill in this field.')

/** Assigns server errors to visible fields. Errors of hidden fields are shown at the button. */
function placed({ inputs }: TemplateDetails, typed: TemplateDraft, fields: Errors): Errors {
  const hidden = new Set(inputs.filter((input) => !isFormField(input)).map(inputFieldName))
  if (typed['address'] !== 'own') hidden.add('host')
  return Object.fromEntries(
    Object.entries(fields).map(([field, message]) => {
      const name = field.replace('domain.', '')
      return [Object.hasOwn(typed, name) && !hidden.has(name) ? name : 'whole', message]
    }),
  )
}

type TemplateDraft = Readonly<Record<string, string>>

/** Returns the initial values of the form. A default that references other inputs is only a placeholder. */
const initialDraft = ({ name, inputs }: TemplateDetails): TemplateDraft => ({
  name,
  server_id: '',
  project_id: '',
  address: 'generated',
  host: '',
  https: 'true',
  ...Object.fromEntries(inputs.map((input) => [inputFieldName(input), presetOf(input)])),
})

function presetOf({ type, default: preset, choices }: TemplateInput): string {
  if (preset !== null && !preset.includes('$')) return preset
  if (type === 'boolean') return 'false'
  return type === 'choice' ? (choices[0]?.value ?? '') : ''
}

/** Returns whether the form shows the input. The domain has fields of its own. */
export const isFormField = ({ type }: TemplateInput) => type !== 'domain'

/** Returns the names of required fields that are empty, so that no request is sent for them. */
function missingFields({ inputs, http }: TemplateDetails, draft: TemplateDraft): string[] {
  const wanted = inputs
    .filter(
      (input) => isFormField(input) && input.required && input.default === null && input.generate === null,
    )
    .map(inputFieldName)
  const host = http !== null && draft['address'] === 'own' ? ['host'] : []
  return [...wanted, 'name', 'server_id', ...host].filter((field) => (draft[field] ?? '').trim() === '')
}

/** Creates the request. Empty values are omitted, so that the server applies defaults and generators. */
function toDeployBody({ inputs, http }: TemplateDetails, draft: TemplateDraft): DeployTemplateBody {
  const filled = inputs.filter(isFormField).flatMap((input) => {
    const typed = draft[inputFieldName(input)] ?? ''
    return typed === '' ? [] : [[input.name, typed]]
  })
  const project = draft['project_id'] ?? ''
  return {
    server_id: draft['server_id'] ?? '',
    name: draft['name'] ?? '',
    inputs: Object.fromEntries(filled),
    ...(http !== null && draft['address'] === 'own'
      ? { domain: { host: draft['host'] ?? '', https: draft['https'] === 'true' } }
      : {}),
    ...(project === '' ? {} : { project_id: project }),
  }
}
