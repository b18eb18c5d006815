import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { isPlainCommand } from './command-text.ts'
import { HealthFields, healthFields, readHealth, typeHealth } from './health-fields.tsx'
import type { ApplicationDetails } from './queries.ts'
import { readResources, ResourceFields, resourceFields, typeResources } from './resource-fields.tsx'
import { readRuntime, RuntimeFields, runtimeFields, typeRuntime } from './runtime-fields.tsx'
import { SettingsCard } from './settings-card.tsx'

/** The settings of an application that wait for a Save button. */
export function SettingsCards({ application }: { application: ApplicationDetails }) {
  const { id, name, source } = application
  return (
    <>
      <SettingsCard
        applicationId={id}
        title="General"
        fields={{ name: 'required' }}
        read={(values) => values}
        atOnce="Everybody in the workspace sees it. Its addresses and containers keep theirs."
      >
        {(errors) => (
          <div className="max-w-sm">
            <Field label="Name" error={errors['name']}>
              <Input name="name" defaultValue={name} autoComplete="off" />
            </Field>
          </div>
        )}
      </SettingsCard>
      {source.type === 'docker_image' && (
        <SettingsCard
          applicationId={id}
          title="Source"
          description="The image that its containers are made of."
          fields={{ 'source.image': 'required' }}
          read={({ 'source.image': image }) => ({ source: { type: 'docker_image', image } })}
        >
          {(errors) => (
            <div className="max-w-2xl">
              <Field
                label="Image"
                help="From Docker Hub, or with its registry before it. Without a tag it is latest."
                error={errors['source.image']}
              >
                <Input
                  name="source.image"
                  defaultValue={source.image ?? ''}
                  mono
                  autoComplete="off"
                  autoCapitalize="off"
                  spellCheck={false}
                />
              </Field>
            </div>
          )}
        </SettingsCard>
      )}
      <SettingsCard
        applicationId={id}
        title="Port and health check"
        description="A new container takes traffic once its check passes; until then the old ones go on."
        fields={healthFields}
        read={readHealth}
      >
        {(errors) => <HealthFields typed={typeHealth(application)} errors={errors} />}
      </SettingsCard>
      <SettingsCard applicationId={id} title="Resources" fields={resourceFields} read={readResources}>
        {(errors) => <ResourceFields typed={typeResources(application)} errors={errors} />}
      </SettingsCard>
      <SettingsCard
        applicationId={id}
        title="Runtime"
        fields={runtimeFields}
        read={(values) => readRuntime(values, application.command)}
      >
        {(errors) => (
          <RuntimeFields
            typed={typeRuntime(application)}
            plain={isPlainCommand(application.command)}
            errors={errors}
          />
        )}
      </SettingsCard>
    </>
  )
}
