import type { Channel, ChannelType } from './queries.ts'
import { SettingField, type SettingFieldProps } from './setting-field.tsx'

interface SettingFieldsProps extends Pick<SettingFieldProps, 'values' | 'put' | 'errors'> {
  type: ChannelType
  known?: Channel['settings']
}

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
