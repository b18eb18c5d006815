import { HealthFields } from '../../areas/applications/settings/health-fields.tsx'
import { NewAdvancedFields, NewTimingFields } from '../../areas/applications/new/new-advanced.tsx'
import { NewBasicFields } from '../../areas/applications/new/new-basics.tsx'
import { changeDraft } from '../../areas/applications/new/new-draft-store.ts'
import { NewEnvironmentFields } from '../../areas/applications/new/new-environment.tsx'
import type { PartProps } from '../../areas/applications/new/new-fields.tsx'
import type { ComposeService } from '../../areas/compose/compose-check.ts'
import { ServiceDomains } from '../../areas/compose/service-domains.tsx'
import { ProjectChoice } from '../../areas/projects/project-choice.tsx'
import { Card } from '../../ui/card.tsx'

interface ConfigurationProps extends PartProps {
  services: readonly ComposeService[] | undefined
  binds: boolean
}

export function NewApplicationConfiguration({ services, binds, ...part }: ConfigurationProps) {
  const { draft, errors } = part
  const project = <ProjectChoice value={draft.project_id} onChange={chooseProject} />
  if (services)
    return (
      <>
        <NewBasicFields
          {...part}
          project={project}
          domains={
            <ServiceDomains
              routes={draft.routes}
              services={services}
              errors={errors}
              onChange={(routes) => changeDraft({ routes })}
            />
          }
        />
        <NewTimingFields {...part} />
      </>
    )
  return (
    <>
      <NewBasicFields {...part} project={project} />
      <Card
        title="Port and health check"
        description="The application receives traffic once the health check passes."
      >
        <HealthFields
          typed={draft}
          errors={errors}
          onChoose={(field, value) => changeDraft({ [field]: value })}
        />
      </Card>
      <NewEnvironmentFields {...part} binds={binds} />
      <NewAdvancedFields {...part} />
    </>
  )
}

const chooseProject = (project_id: string) => changeDraft({ project_id })
