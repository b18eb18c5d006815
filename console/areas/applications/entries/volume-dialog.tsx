import { useState } from 'react'
import { toast } from 'sonner'
import { FormDialog } from '../../../lib/form/form-dialog.tsx'
import { Radio } from '../../../ui/form/checkbox.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { Input } from '../../../ui/form/input.tsx'
import type { ApplicationVolume as Volume } from '../queries.ts'
import { useSaveVolume } from './volumes.ts'

interface VolumeDialogProps {
  applicationId: string
  /** None for a new one. */
  volume: Volume | undefined
  /** Whether one may mount folders of the server. */
  binds: boolean
  onClose: () => void
}

const onlyAdmins = 'Only admins may, since whoever mounts a folder can read and change all that is in it.'

/** Mounts a volume or a folder of the server, or mounts it elsewhere. */
export function VolumeDialog({ applicationId, volume, binds, onClose }: VolumeDialogProps) {
  const save = useSaveVolume(applicationId)
  const [type, setType] = useState<Volume['type']>(volume?.type ?? 'volume')
  const folder = type === 'bind'
  return (
    <FormDialog
      title={volume ? `Edit ${volume.source}` : 'Add storage'}
      description="It takes effect with the next deployment."
      fields={{ source: 'required', target: 'required' }}
      action={volume ? 'Save' : 'Add storage'}
      save={async (values) => {
        await save.mutateAsync({ volumeId: volume?.id, ...values })
        toast.success(`${values.source} saved.`)
      }}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <fieldset className="flex flex-col gap-2.5">
            <legend className="mb-1.5 text-sm font-medium">Kind</legend>
            <Radio
              name="type"
              label="Volume"
              help="Docker keeps it on the server, for this application alone."
              checked={!folder}
              onChange={() => setType('volume')}
            />
            <Radio
              name="type"
              label="Folder of the server"
              help={binds ? 'One that is there, or is made.' : onlyAdmins}
              disabled={!binds}
              checked={folder}
              onChange={() => setType('bind')}
            />
          </fieldset>
          <Field
            label={folder ? 'Folder' : 'Name'}
            help={folder ? 'Its whole path on the server.' : 'As you call it.'}
            error={errors['source']}
          >
            <Input
              name="source"
              defaultValue={volume?.source}
              placeholder={folder ? '/srv/data' : 'data'}
              mono
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
            />
          </Field>
          <Field
            label="Path in the container"
            help="Where the application finds it."
            error={errors['target']}
          >
            <Input
              name="target"
              defaultValue={volume?.target}
              placeholder="/data"
              mono
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
            />
          </Field>
        </>
      )}
    </FormDialog>
  )
}
