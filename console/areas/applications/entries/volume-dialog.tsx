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
  volume: Volume | undefined
  /** Only admins may mount folders of the server. */
  binds: boolean
  onClose: () => void
}

const onlyAdmins = 'Admins only: a mounted folder gives the container access to the files of the server.'

export function VolumeDialog({ applicationId, volume, binds, onClose }: VolumeDialogProps) {
  const save = useSaveVolume(applicationId)
  const [type, setType] = useState<Volume['type']>(volume?.type ?? 'volume')
  const folder = type === 'bind'
  return (
    <FormDialog
      title={volume ? `Edit ${volume.source}` : 'Add storage'}
      description="Applies with the next deployment."
      fields={{ source: 'required', target: 'required' }}
      action={volume ? 'Save' : 'Add storage'}
      save={async (values) => {
        await save.mutateAsync({ volumeId: volume?.id, ...values })
        toast.success(`${values.source} saved`)
      }}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <fieldset className="flex flex-col gap-2.5">
            <legend className="mb-1.5 text-sm font-medium">Type</legend>
            <Radio
              name="type"
              label="Volume"
              help="A Docker volume on the server, used only by this application."
              checked={!folder}
              onChange={() => setType('volume')}
            />
            <Radio
              name="type"
              label="Server folder"
              help={binds ? 'Created if it does not exist.' : onlyAdmins}
              disabled={!binds}
              checked={folder}
              onChange={() => setType('bind')}
            />
          </fieldset>
          <Field
            label={folder ? 'Folder' : 'Name'}
            help={folder ? 'Absolute path on the server.' : 'Used within this application.'}
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
            label="Container path"
            help="Where the application reads and writes it."
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
