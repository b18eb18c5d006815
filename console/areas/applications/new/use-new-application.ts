import { useEffect, useMemo, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { ApiError } from '../../../lib/http/api-error.ts'
import { dismissToasts } from '../../../lib/notify.ts'
import { applicationPath, deploymentPath } from '../../../paths.ts'
import { toRequestBody, validateDraft } from './new-body.ts'
import { discardDraft, useNewApplicationDraft } from './new-draft-store.ts'
import { assignErrors, dropStaleErrors, type FieldErrors } from './new-errors.ts'
import { useCreateApplication, useFirstDeployment } from './new-queries.ts'

const none: FieldErrors = {}

export function useNewApplication() {
  const draft = useNewApplicationDraft()
  const [errors, setErrors] = useState({ all: none, draft })
  const [shownMessages, setShownMessages] = useState<readonly string[]>([])
  const navigate = useNavigate()
  const create = useCreateApplication()
  const deploy = useFirstDeployment()
  const isCreated = useRef(false)
  useEffect(() => {
    const created = isCreated
    // Clear the draft only after leaving the page, because the form would flash empty.
    return () => {
      if (created.current) discardDraft()
    }
  }, [])

  /** Creates and deploys the application if it has no errors. `found` contains the errors of other checks. */
  async function createAndDeploy(found: FieldErrors) {
    dismissToasts(shownMessages)
    const faults = { ...found, ...validateDraft(draft) }
    setErrors({ all: faults, draft })
    if (Object.keys(faults).length > 0) return
    try {
      const created = await create.mutateAsync(toRequestBody(draft))
      const { id } = created.application
      isCreated.current = true
      const deployment = await deploy.mutateAsync(created).catch(() => undefined)
      void navigate(deployment ? deploymentPath(id, deployment.id) : applicationPath(id), { replace: true })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setShownMessages(error.messages)
      setErrors({ all: assignErrors(error.fields, draft), draft })
    }
  }

  return {
    draft,
    errors: errors.all,
    /** Errors of fields that have not changed since the last attempt. */
    standing: useMemo(() => dropStaleErrors(errors.all, errors.draft, draft), [errors, draft]),
    createAndDeploy,
    creating: create.isPending || deploy.isPending,
  }
}
