import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { ApiError } from '../../../lib/http/api-error.ts'
import { notify, dismissToasts } from '../../../lib/notify.ts'
import { useParam } from '../../../lib/use-param.ts'
import { applicationPath, deploymentPath } from '../../../paths.ts'
import { toRequestBody, validateDraft } from './new-body.ts'
import { changeDraft, discardDraft, useNewApplicationDraft } from './new-draft-store.ts'
import { reviewQuery, useCreateApplication, useFirstDeployment } from './new-queries.ts'
import {
  type FieldErrors,
  firstErrors,
  filterErrorsByStep,
  assignErrors,
  reachableStep,
  type WizardStep,
  findStep,
  steps,
  dropStaleErrors,
} from './new-steps.ts'

const none: FieldErrors = {}

export function useNewApplication() {
  const draft = useNewApplicationDraft()
  const [asked] = useParam('step')
  const [errors, tell] = useState({ all: none, draft })
  const [checking, setChecking] = useState(false)
  const [shownMessages, setShownMessages] = useState<readonly string[]>([])
  const navigate = useNavigate()
  const client = useQueryClient()
  const create = useCreateApplication()
  const deploy = useFirstDeployment()
  const step = reachableStep(draft, asked)
  const made = useRef(false)
  useEffect(() => {
    const isMade = made
    // Clear the draft only after leaving the page: an empty draft redirects to the first step.
    return () => {
      if (isMade.current) discardDraft()
    }
  }, [])
  const go = (to: WizardStep) => void navigate(`?step=${to}`)
  const setErrors = (all: FieldErrors) => tell({ all, draft })

  function refuse(fields: FieldErrors) {
    const placed = assignErrors(fields, draft)
    setErrors(placed)
    const first = steps.find((candidate) =>
      Object.keys(placed).some((field) => findStep(field, draft) === candidate.step),
    )?.step
    if (first !== undefined && first !== step) go(first)
  }

  function fail(error: unknown) {
    if (!(error instanceof ApiError)) throw error
    setShownMessages(error.messages)
    refuse(error.fields)
  }

  /** Continues if the step has no errors; `found` are errors from other checks. */
  function next(to: WizardStep, found = none) {
    const faults = { ...found, ...filterErrorsByStep(validateDraft(draft), step, draft) }
    setErrors(faults)
    if (Object.keys(faults).length === 0) go(to)
  }

  /** Asks the server for a review before the last step. */
  async function check() {
    const faults = validateDraft(draft)
    dismissToasts(shownMessages)
    if (Object.keys(faults).length > 0) return setErrors(faults)
    setErrors(none)
    changeDraft({ lost: false })
    setChecking(true)
    try {
      const review = await client.fetchQuery({ ...reviewQuery(toRequestBody(draft)), staleTime: 0 })
      const problems = firstErrors(review.problems)
      if (Object.keys(problems).length > 0) refuse(problems)
      else go('review')
    } catch (error) {
      notify(error)
      fail(error)
    } finally {
      setChecking(false)
    }
  }

  async function make() {
    dismissToasts(shownMessages)
    try {
      const created = await create.mutateAsync(toRequestBody(draft))
      const { id } = created.application
      made.current = true
      const deployment = await deploy.mutateAsync(created).catch(() => undefined)
      void navigate(deployment ? deploymentPath(id, deployment.id) : applicationPath(id), { replace: true })
    } catch (error) {
      fail(error)
    }
  }

  return {
    draft,
    asked,
    step,
    errors: errors.all,
    standing: useMemo(() => dropStaleErrors(errors.all, errors.draft, draft), [errors, draft]),
    checking,
    next,
    check,
    refuse,
    make,
    making: create.isPending || deploy.isPending,
  }
}
