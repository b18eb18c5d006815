import { Rocket } from 'lucide-react'
import { type SubmitEvent, useEffect, useEffectEvent, useRef } from 'react'
import { may } from '../../../contract/shared/permissions.ts'
import { PlanView } from '../../areas/compose/plan-view.tsx'
import { ProjectChoice } from '../../areas/projects/project-choice.tsx'
import { AddressFields } from '../../areas/templates/address-fields.tsx'
import { isField } from '../../areas/templates/deploy-draft.ts'
import { InputField, nameOf } from '../../areas/templates/input-field.tsx'
import type { TemplateDetails, TemplateInput } from '../../areas/templates/queries.ts'
import { TemplateReview } from '../../areas/templates/template-review.tsx'
import { useDeployForm } from '../../areas/templates/use-deploy-form.ts'
import { useWorkspace } from '../../areas/workspaces/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Folded } from '../../ui/folded.tsx'
import { Input } from '../../ui/form/input.tsx'
import { ServerChoices } from '../servers/server-choices.tsx'

/** Its form: a few fields, a server, and a button. */
export function DeployTemplate({ template }: { template: TemplateDetails }) {
  const { typed, put, errors, refusals, review, reviewing, look, send, sending } = useDeployForm(template)
  const { role } = useWorkspace()
  const form = useFirstFault(errors, refusals)
  const fields = template.inputs.filter(isField)
  const advanced = fields.filter(({ asked }) => !asked)
  const refused = template.powers.length > 0 && !may(role, 'servers.root')

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (!sending && !refused) void send()
  }

  const inputs = (list: readonly TemplateInput[]) =>
    list.map((input) => (
      <InputField
        key={input.name}
        input={input}
        value={typed[nameOf(input)] ?? ''}
        onChange={(value) => put(nameOf(input), value)}
        error={errors[nameOf(input)]}
      />
    ))

  return (
    <form ref={form} onSubmit={submit} noValidate className="flex flex-col gap-6">
      <Card title="Settings" description="All of it can be changed later, in the application.">
        <div className="flex max-w-2xl flex-col gap-4">
          <Field label="Name" help="Of the application." error={errors['name']}>
            <Input
              name="name"
              value={typed['name'] ?? ''}
              onChange={({ target }) => put('name', target.value)}
              autoComplete="off"
            />
          </Field>
          {inputs(fields.filter(({ asked }) => asked))}
          {template.http !== null && <AddressFields {...{ typed, put, errors }} />}
          <ProjectChoice value={typed['project_id'] ?? ''} onChange={(id) => put('project_id', id)} />
        </div>
      </Card>
      {advanced.length > 0 && (
        <Folded title="Advanced" about="What is generated or has a value already">
          <div className="flex max-w-2xl flex-col gap-4">{inputs(advanced)}</div>
        </Folded>
      )}
      <section aria-labelledby="where" className="flex flex-col gap-3">
        <h2 id="where" className="text-base font-semibold">
          Where it runs
        </h2>
        <ServerChoices
          value={typed['server_id'] ?? ''}
          onChange={(id) => put('server_id', id)}
          error={errors['server_id']}
        />
      </section>
      {review && (
        <TemplateReview
          review={review}
          renderPlan={(plan) => (
            <Card title="Its services">
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
        {refused && <p className="text-sm text-muted">An admin of the workspace has to deploy it.</p>}
        <Button pending={reviewing && 'Looking…'} onClick={() => void look()}>
          See what will happen
        </Button>
        <Button type="submit" variant="primary" disabled={refused} pending={sending && 'Deploying…'}>
          <Rocket aria-hidden />
          Deploy
        </Button>
      </div>
    </form>
  )
}

/** The first field at fault gets the focus, also one that is folded away. */
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
