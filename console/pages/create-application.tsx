import { useEffect } from 'react'
import { Navigate } from 'react-router'
import { may } from '../../contract/permissions.ts'
import { HealthFields } from '../areas/applications/health-fields.tsx'
import { Advanced } from '../areas/applications/new-advanced.tsx'
import { Basics } from '../areas/applications/new-basics.tsx'
import { changeDraft } from '../areas/applications/new-draft-store.ts'
import { Environment } from '../areas/applications/new-environment.tsx'
import { Review } from '../areas/applications/new-review.tsx'
import { StepForm } from '../areas/applications/new-step-form.tsx'
import { Stepper } from '../areas/applications/new-stepper.tsx'
import { reachable } from '../areas/applications/new-steps.ts'
import { useNewApplication } from '../areas/applications/use-new-application.ts'
import { useWorkspace } from '../areas/workspaces/queries.ts'
import { useParam } from '../lib/use-param.ts'
import { paths } from '../paths.ts'
import { Card } from '../ui/card.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { NewApplicationServer } from './new-application-server.tsx'
import { NewApplicationSource } from './new-application-source.tsx'
import { NotAllowed } from './not-allowed.tsx'

export function CreateApplicationPage() {
  const { role } = useWorkspace()
  const [server, setServer] = useParam('server')
  useEffect(() => {
    // Whoever comes from the page of a server has chosen it already.
    if (server === '') return
    changeDraft({ server_id: server })
    setServer('')
  }, [server, setServer])
  return (
    <>
      <PageHeader title="New application" parents={[{ label: 'Applications', to: paths.applications }]} />
      {may(role, 'applications.manage') ? <Steps /> : <NotAllowed />}
    </>
  )
}

function Steps() {
  const { role } = useWorkspace()
  const { draft, asked, step, errors, checking, making, next, check, refuse, make } = useNewApplication()
  if (asked !== '' && asked !== step) return <Navigate to={`?step=${step}`} replace />
  const part = { draft, errors }
  return (
    <>
      <Stepper step={step} open={reachable(draft, 'review')} />
      {step === 'source' && (
        <StepForm key={step} {...{ step, errors }} next="Continue" onNext={() => next('server')}>
          <NewApplicationSource {...part} />
        </StepForm>
      )}
      {step === 'server' && (
        <StepForm key={step} {...{ step, errors }} next="Continue" onNext={() => next('configuration')}>
          <NewApplicationServer {...part} imports={may(role, 'servers.manage')} />
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
          <Basics {...part} />
          <Card title="Port and health check" description="It takes traffic once its check passes.">
            <HealthFields
              typed={draft}
              errors={errors}
              onChoose={(field, value) => changeDraft({ [field]: value })}
            />
          </Card>
          <Environment {...part} binds={may(role, 'binds.manage')} />
          <Advanced {...part} />
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
          <Review draft={draft} onRefused={refuse} />
        </StepForm>
      )}
    </>
  )
}
