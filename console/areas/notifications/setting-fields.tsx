import type { Channel, ChannelType } from './queries.ts'
import { SettingField, type SettingFieldProps } from './setting-field.tsx'

interface SettingFieldsProps extends Pick<SettingFieldProps, 'values' | 'put' | 'errors'> {
  type: ChannelType
  known?: Channel['settings']
}

/** The form of a channel, made of the fields of its type. */
export const SettingFields = ({ type, known, ...rest }: SettingFieldsProps) =>
  type.fields.map((field) => (
    <SettingField
      key={field.name}
      field={field}
      known={known}
      generates={type.type === 'webhook' && field.name === 'secret'}
      {...rest}
    />
  ))
