import { ActionDialog } from '../../../lib/form/action-dialog.tsx'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { Field } from '../../../ui/form/field.tsx'
import { Input } from '../../../ui/form/input.tsx'
import type { TypedField } from '../../../lib/form/use-form.ts'
import { HealthFields, healthFields, PortField, readHealth, toHealthDraft } from './health-fields.tsx'
import { type ApplicationChange, type ApplicationDetails, useUpdateApplication } from '../queries.ts'
import { readNumber } from '../../../lib/form/read-number.ts'
import { readResources, ResourceFields, resourceFields, toResourcesDraft } from './resource-fields.tsx'
import { readRuntime, RuntimeFields, runtimeFields, toRuntimeDraft } from './runtime-fields.tsx'
import { SettingsCard } from './settings-card.tsx'
import { readTiming, TimingFields, timingFields, toTimingDraft } from './timing-fields.tsx'
import { Card } from '../../../ui/card.tsx'
import { Switch } from '../../../ui/form/checkbox.tsx'
import { isCompose } from '../source-label.ts'
import { Button } from '../../../ui/button.tsx'

interface SettingsCardsProps {
  application: ApplicationDetails
  renderImage: (field: TypedField) => ReactNode
  compose: ReactNode
  repository: ReactNode
}

export function SettingsCards({ application, renderImage, compose, repository }: SettingsCardsProps) {
  const { id, name, source } = application
  return (
    <>
      <SettingsCard
        applicationId={id}
        title="General"
        description="Renaming does not affect domains or containers."
        fields={{ name: 'required' }}
        saved={{ name }}
        read={(values) => values}
        atOnce
      >
        {({ typed, errors }) => (
          <Field label="Name" error={errors['name']}>
            <Input name="name" defaultValue={typed.name} autoComplete="off" />
          </Field>
        )}
      </SettingsCard>
      {source.type === 'docker_image' && (
        <SettingsCard
          applicationId={id}
          title="Source"
          description="Image that the containers run."
          fields={{ 'source.image': 'required' }}
          saved={{ 'source.image': source.image ?? '' }}
          read={({ 'source.image': image }) => ({ source: { type: 'docker_image', image } })}
        >
          {({ typed, errors, onChoose }) =>
            renderImage({
              name: 'source.image',
              value: typed['source.image'],
              onChange: (image) => onChoose('source.image', image),
              error: errors['source.image'],
            })
          }
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
      <SavedLogsCard application={application} />
    </>
  )
}

const SavedLogsCard = ({
  application: { id, log_days: days, log_megabytes: size },
}: {
  application: ApplicationDetails
}) => (
  <SettingsCard
    applicationId={id}
    title="Saved logs"
    description="Output of removed containers. The oldest logs are deleted first."
    fields={{ log_days: 'required', log_megabytes: 'required' }}
    saved={{ log_days: String(days), log_megabytes: String(size) }}
    read={(values) => ({
      log_days: readNumber('log_days', values.log_days),
      log_megabytes: readNumber('log_megabytes', values.log_megabytes),
    })}
    atOnce
  >
    {({ typed, errors }) => (
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Days" help="Up to 90. Set to 0 to keep no logs." error={errors['log_days']}>
          <Input name="log_days" defaultValue={typed.log_days} inputMode="numeric" autoComplete="off" />
        </Field>
        <Field label="Size (MB)" help="Up to 200." error={errors['log_megabytes']}>
          <Input
            name="log_megabytes"
            defaultValue={typed.log_megabytes}
            inputMode="numeric"
            autoComplete="off"
          />
        </Field>
      </div>
    )}
  </SettingsCard>
)

const TimingCard = ({ application }: { application: ApplicationDetails }) => (
  <SettingsCard
    applicationId={application.id}
    title="Deployments"
    description="A service receives traffic once its health check passes or its ports accept connections."
    fields={timingFields}
    saved={toTimingDraft(application)}
    read={(values) => readTiming(values, application.health)}
  >
    {(part) => <TimingFields {...part} />}
  </SettingsCard>
)

function ImageCards({ application }: { application: ApplicationDetails }) {
  const { id } = application
  return (
    <>
      <SettingsCard
        applicationId={id}
        title="Port and health check"
        description="New containers receive traffic once the health check passes."
        fields={healthFields}
        saved={toHealthDraft(application)}
        read={readHealth}
      >
        {(part) => <HealthFields {...part} before={<PortField {...part} />} />}
      </SettingsCard>
      <SettingsCard
        applicationId={id}
        title="Resources"
        fields={resourceFields}
        saved={toResourcesDraft(application)}
        read={readResources}
      >
        {({ typed, errors }) => <ResourceFields typed={typed} errors={errors} />}
      </SettingsCard>
      <SettingsCard
        applicationId={id}
        title="Runtime"
        fields={runtimeFields}
        saved={toRuntimeDraft(application)}
        read={(values) => readRuntime(values, application.command)}
      >
        {(part) => <RuntimeFields {...part} />}
      </SettingsCard>
    </>
  )
}

export function BehaviorCard({ application }: { application: ApplicationDetails }) {
  const update = useUpdateApplication(application.id)
  const [asks, setAsks] = useState(false)
  // The switches show the new value while the request is in progress.
  const pendingChange: ApplicationChange = (update.isPending ? update.variables : undefined) ?? {}
  return (
    <Card title="Rollback and maintenance" description="Changes are saved immediately.">
      <div className="flex flex-col gap-4">
        <Switch
          label="Automatic rollback"
          help="Rolls back a release that crashes within 5 minutes of going live."
          checked={pendingChange.auto_rollback ?? application.auto_rollback}
          onCheckedChange={(checked) => update.mutate({ auto_rollback: checked })}
        />
        <Switch
          label="Maintenance page"
          help="Visitors see a maintenance page. The application keeps running."
          checked={pendingChange.maintenance ?? application.maintenance}
          onCheckedChange={(checked) => (checked ? setAsks(true) : update.mutate({ maintenance: false }))}
        />
        {!isCompose(application.source.type) && (
          <Switch
            label="Stop old containers first"
            help="For databases and other software that cannot share a volume. Causes brief downtime on each deployment."
            checked={pendingChange.stop_first ?? application.stop_first}
            onCheckedChange={(checked) => update.mutate({ stop_first: checked })}
          />
        )}
      </div>
      {asks && (
        <ActionDialog
          title={`Turn on maintenance for ${application.name}?`}
          action="Turn on"
          mutation={update}
          input={{ maintenance: true }}
          pending="Turning on…"
          done="Maintenance turned on"
          onClose={() => setAsks(false)}
        >
          Until you turn off maintenance, visitors see the maintenance page instead of {application.name}.
        </ActionDialog>
      )}
    </Card>
  )
}

export const DeleteApplicationCard = ({ onDelete }: { onDelete: () => void }) => (
  <Card
    title="Delete application"
    footer={
      <>
        You must type the name to confirm.
        <Button variant="danger" onClick={onDelete}>
          Delete application
        </Button>
      </>
    }
  >
    <p className="text-muted">
      Deletes the application’s containers, domains, releases and deployments. Volumes are kept unless you
      select them.
    </p>
  </Card>
)
