import { useQuery } from '@tanstack/react-query'
import { LayoutTemplate } from 'lucide-react'
import { useEffect } from 'react'
import { Navigate } from 'react-router'
import { readVariables, writeVariables } from '../../../contract/shared/dotenv.ts'
import { roleAllows } from '../../../contract/shared/permissions.ts'
import { changeDraft } from '../../areas/applications/new/new-draft-store.ts'
import {
  isComposeDraft,
  isImageDraft,
  type NewApplicationDraft,
} from '../../areas/applications/new/new-draft.ts'
import { NewApplicationReview } from '../../areas/applications/new/new-review.tsx'
import { StepForm, Stepper } from '../../areas/applications/new/new-step-form.tsx'
import { reachableStep } from '../../areas/applications/new/new-steps.ts'
import { useNewApplication } from '../../areas/applications/new/use-new-application.ts'
import { PlanView } from '../../areas/compose/plan-view.tsx'
import { selectedServices } from '../../areas/compose/profiles-field.tsx'
import { useComposeCheck, useComposeValidation } from '../../areas/compose/compose-check.ts'
import { projectVariables } from '../../areas/projects/queries.ts'
import { useWorkspace } from '../../areas/workspaces/queries.ts'
import { useParam } from '../../lib/use-param.ts'
import { variableValuesQuery } from '../../lib/form/variable-list.ts'
import { paths } from '../../paths.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { NewApplicationConfiguration } from './new-application-configuration.tsx'
import { NewApplicationSource } from './new-application-source.tsx'
import { NotAllowed } from '../page-fallback.tsx'
import type { PartProps } from '../../areas/applications/new/new-fields.tsx'
import { ServerChoices, useOnlyServer } from '../servers/server-choices.tsx'

export function CreateApplicationPage() {
  const { role } = useWorkspace()
  useChosen('server')
  useChosen('project')
  return (
    <>
      <PageHeader
        title="New application"
        parents={[{ label: 'Applications', to: paths.applications }]}
        action={
          <ButtonLink to={paths.templates}>
            <LayoutTemplate aria-hidden />
            Browse templates
          </ButtonLink>
        }
      />
      {roleAllows(role, 'applications.manage') ? <Steps /> : <NotAllowed needs="applications.manage" />}
    </>
  )
}

/** Links from a server or project page preselect it. */
function useChosen(what: 'server' | 'project') {
  const [id, set] = useParam(what)
  useEffect(() => {
    if (id === '') return
    changeDraft({ [`${what}_id`]: id })
    set('')
  }, [what, id, set])
}

/** Merges the variables of the project with those of the draft, which take precedence. */
function useEnvironment({ project_id: id, env }: Pick<NewApplicationDraft, 'project_id' | 'env'>): string {
  const { data = [] } = useQuery({ ...variableValuesQuery(projectVariables(id)), enabled: id !== '' })
  const inherited = data.map(({ key, value }) => ({ key, value: value ?? '' }))
  return inherited.length === 0 ? env : writeVariables([...inherited, ...readVariables(env)])
}

function Steps() {
  const { role } = useWorkspace()
  const { draft, asked, step, errors, standing, checking, making, next, check, refuse, make } =
    useNewApplication()
  const { 'source.compose': text, 'source.profiles': profiles } = draft
  const env = useEnvironment(draft)
  const isCompose = isComposeDraft(draft)
  const file = useComposeCheck(isCompose ? text : '', env, profiles, draft.server_id)
  const { reading, findFault } = useComposeValidation()
  const server = useOnlyServer(draft.server_id, (server_id) => changeDraft({ server_id }))
  // A reload dropped fields that the user must see again.
  const quick = isImageDraft(draft) && !draft.lost ? server : undefined
  if (asked !== '' && asked !== step) return <Navigate to={`?step=${step}`} replace />
  const part = { draft, errors: standing }

  async function leaveSource() {
    const fault = isCompose ? await findFault(text, env, profiles, draft.server_id) : undefined
    next('server', fault === undefined ? {} : { 'source.compose': fault })
  }

  return (
    <>
      <Stepper step={step} open={reachableStep(draft, 'review')} />
      {step === 'source' && (
        <StepForm
          key={step}
          {...{ step, errors }}
          next="Continue"
          pending={reading && 'Checking…'}
          onNext={() => void leaveSource()}
          shortcut={
            quick && (
              <Button
                variant="primary"
                pending={making && 'Creating…'}
                onClick={() => void (reachableStep(draft, 'server') === 'server' ? make() : leaveSource())}
              >
                Deploy to {quick.name}
              </Button>
            )
          }
        >
          <NewApplicationSource {...part} file={file} />
          {quick && (
            <p className="-mb-2 text-right text-sm text-muted">
              Deploy with default settings and a generated URL, or continue to change them.
            </p>
          )}
        </StepForm>
      )}
      {step === 'server' && (
        <StepForm key={step} {...{ step, errors }} next="Continue" onNext={() => next('configuration')}>
          <NewApplicationServer {...part} />
        </StepForm>
      )}
      {step === 'configuration' && (
        <StepForm
          key={step}
          {...{ step, errors }}
          next="Review"
          pending={checking && 'Checking…'}
          onNext={() => void check()}
        >
          <NewApplicationConfiguration
            {...part}
            services={isCompose ? selectedServices(file.services, profiles) : undefined}
            binds={roleAllows(role, 'servers.root')}
          />
        </StepForm>
      )}
      {step === 'review' && (
        <StepForm
          key={step}
          {...{ step, errors }}
          next="Create and deploy"
          pending={making && 'Creating…'}
          onNext={() => void make()}
        >
          <NewApplicationReview
            draft={draft}
            onRefused={refuse}
            renderPlan={(plan) => (
              <Card title="Services">
                <PlanView plan={plan} />
              </Card>
            )}
          />
        </StepForm>
      )}
    </>
  )
}

const NewApplicationServer = ({ draft, errors }: PartProps) => (
  <ServerChoices
    value={draft.server_id}
    onChange={(server_id) => changeDraft({ server_id })}
    error={errors['server_id']}
  />
)
