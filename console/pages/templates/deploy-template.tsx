import { Rocket } from 'lucide-react'
import { type ReactNode, type SubmitEvent, useEffect, useEffectEvent, useRef } from 'react'
import { roleAllows } from '../../../contract/shared/permissions.ts'
import { PlanView } from '../../areas/compose/plan-view.tsx'
import { ProjectChoice } from '../../areas/projects/project-choice.tsx'
import { DomainFields, InputField, inputFieldName } from '../../areas/templates/input-fields.tsx'
import { isFormField, useDeployForm } from '../../areas/templates/use-deploy-form.ts'
import type { TemplateDetails, TemplateInput, TemplateReviewResult } from '../../areas/templates/queries.ts'
import { useWorkspace } from '../../areas/workspaces/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CollapsibleSection } from '../../ui/card.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { ServerSelect } from '../servers/server-select.tsx'
import { ReviewSteps, ReviewWarnings } from '../../lib/review.tsx'

export function DeployTemplate({ template }: { template: TemplateDetails }) {
  const { typed, put, errors, refusals, review, reviewing, openReview, send, sending } =
    useDeployForm(template)
  const { role } = useWorkspace()
  const form = useFirstFault(errors, refusals)
  const fields = template.inputs.filter(isFormField)
  const advanced = fields.filter((input) => input.advanced)
  const refused = template.host_access.length > 0 && !roleAllows(role, 'servers.root')

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (!sending && !refused) void send()
  }

  const inputs = (list: readonly TemplateInput[]) =>
    list.map((input) => (
      <InputField
        key={input.name}
        input={input}
        value={typed[inputFieldName(input)] ?? ''}
        onChange={(value) => put(inputFieldName(input), value)}
        error={errors[inputFieldName(input)]}
      />
    ))

  return (
    <form ref={form} onSubmit={submit} noValidate className="flex flex-col gap-6">
      <Card title="Settings" description="You can change these settings later.">
        <div className="flex flex-col gap-4">
          <div className="grid items-start gap-4 sm:grid-cols-2">
            <Field label="Name" error={errors['name']}>
              <Input
                name="name"
                value={typed['name'] ?? ''}
                onChange={({ target }) => put('name', target.value)}
                autoComplete="off"
              />
            </Field>
            <ServerSelect
              value={typed['server_id'] ?? ''}
              onChange={(id) => put('server_id', id)}
              error={errors['server_id']}
            />
          </div>
          {inputs(fields.filter((input) => !input.advanced))}
          <div className="grid items-start gap-4 sm:grid-cols-2">
            {template.http !== null && <DomainFields {...{ typed, put, errors }} />}
            <ProjectChoice value={typed['project_id'] ?? ''} onChange={(id) => put('project_id', id)} />
          </div>
        </div>
      </Card>
      {advanced.length > 0 && (
        <CollapsibleSection title="Advanced" about="Generated values and defaults">
          <div className="flex flex-col gap-4">{inputs(advanced)}</div>
        </CollapsibleSection>
      )}
      {review && (
        <TemplateReview
          review={review}
          renderPlan={(plan) => (
            <Card title="Services">
              <PlanView plan={plan} />
            </Card>
          )}
        />
      )}
      <div className="flex flex-wrap items-center justify-end gap-3">
        {errors['whole'] && (
          <p role="alert" className="text-sm text-red-ink">
            {errors['whole']}
          </p>
        )}
        {refused && <p className="text-sm text-muted">Only owners and admins can deploy this template.</p>}
        <Button pending={reviewing && 'Reviewing…'} onClick={() => void openReview()}>
          Review
        </Button>
        <Button type="submit" variant="primary" disabled={refused} pending={sending && 'Deploying…'}>
          <Rocket aria-hidden />
          Deploy
        </Button>
      </div>
    </form>
  )
}

function useFirstFault(errors: Readonly<Record<string, string>>, refusals: number) {
  const form = useRef<HTMLFormElement>(null)
  const lead = useEffectEvent(() => {
    const isFaulty = (one: Element) => Object.hasOwn(errors, one.getAttribute('name') ?? '')
    const faulty = [...(form.current?.elements ?? [])].find(isFaulty)
    if (!(faulty instanceof HTMLElement)) return
    const folded = faulty.closest('details')
    if (folded) folded.open = true
    faulty.focus()
  })
  useEffect(() => {
    if (refusals > 0) lead()
  }, [refusals])
  return form
}

interface TemplateReviewProps {
  review: TemplateReviewResult
  renderPlan: (plan: NonNullable<TemplateReviewResult['plan']>) => ReactNode
}

const TemplateReview = ({ review, renderPlan }: TemplateReviewProps) => (
  <>
    <ReviewWarnings warnings={review.warnings} />
    <Card title="Deployment steps">
      <ReviewSteps steps={review.steps} />
    </Card>
    {review.plan && renderPlan(review.plan)}
  </>
)
