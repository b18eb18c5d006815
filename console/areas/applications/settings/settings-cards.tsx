import type { ReactNode } from 'react'
import { Field } from '../../../ui/form/field.tsx'
import { Input } from '../../../ui/form/input.tsx'
import type { TypedField } from '../../../lib/form/typed-field.ts'
import { HealthFields, healthFields, readHealth, typeHealth } from './health-fields.tsx'
import type { ApplicationDetails } from '../queries.ts'
import { readResources, ResourceFields, resourceFields, typeResources } from './resource-fields.tsx'
import { readRuntime, RuntimeFields, runtimeFields, typeRuntime } from './runtime-fields.tsx'
import { SettingsCard } from './settings-card.tsx'
import { readTiming, TimingFields, timingFields, typeTiming } from './timing-fields.tsx'

interface SettingsCardsProps {
  application: ApplicationDetails
  /** The field in which an image is named. */
  renderImage: (field: TypedField) => ReactNode
  /** The card of its compose file; nothing for one that is made of an image. */
  compose: ReactNode
  /** The cards of its repository; nothing for one that is not built from one. */
  repository: ReactNode
}

/** The settings of an application that wait for a Save button. */
export function SettingsCards({ application, renderImage, compose, repository }: SettingsCardsProps) {
  const { id, name, source } = application
  return (
    <>
      <SettingsCard
        applicationId={id}
        title="General"
        fields={{ name: 'required' }}
        saved={{ name }}
        read={(values) => values}
        atOnce="Everybody in the workspace sees it. Its addresses and containers keep theirs."
      >
        {({ typed, errors }) => (
          <div className="max-w-sm">
            <Field label="Name" error={errors['name']}>
              <Input name="name" defaultValue={typed.name} autoComplete="off" />
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
          saved={{ 'source.image': source.image ?? '' }}
          read={({ 'source.image': image }) => ({ source: { type: 'docker_image', image } })}
        >
          {({ typed, errors, onChoose }) => (
            <div className="max-w-2xl">
              {renderImage({
                name: 'source.image',
                value: typed['source.image'],
                onChange: (image) => onChoose('source.image', image),
                error: errors['source.image'],
              })}
            </div>
          )}
        </SettingsCard>
      )}
      {repository}
      {compose ? (
        <>
          {compose}
          <TimingCard application={application} />
        </>
      ) : (
        <ImageCards application={application} />
      )}
    </>
  )
}

/** A compose file says all but this. */
const TimingCard = ({ application }: { application: ApplicationDetails }) => (
  <SettingsCard
    applicationId={application.id}
    title="Deployments"
    description="A service takes traffic once its own health check passes, or its ports answer."
    fields={timingFields}
    saved={typeTiming(application)}
    read={(values) => readTiming(values, application.health)}
  >
    {(part) => <TimingFields {...part} />}
  </SettingsCard>
)

/** How the containers of an image run. */
function ImageCards({ application }: { application: ApplicationDetails }) {
  const { id } = application
  return (
    <>
      <SettingsCard
        applicationId={id}
        title="Port and health check"
        description="A new container takes traffic once its check passes; until then the old ones go on."
        fields={healthFields}
        saved={typeHealth(application)}
        read={readHealth}
      >
        {(part) => <HealthFields {...part} />}
      </SettingsCard>
      <SettingsCard
        applicationId={id}
        title="Resources"
        fields={resourceFields}
        saved={typeResources(application)}
        read={readResources}
      >
        {({ typed, errors }) => <ResourceFields typed={typed} errors={errors} />}
      </SettingsCard>
      <SettingsCard
        applicationId={id}
        title="Runtime"
        fields={runtimeFields}
        saved={typeRuntime(application)}
        read={(values) => readRuntime(values, application.command)}
      >
        {(part) => <RuntimeFields {...part} />}
      </SettingsCard>
    </>
  )
}
