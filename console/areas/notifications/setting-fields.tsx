import type { Channel, ChannelType } from './queries.ts'
import { ChannelSettingField, type SettingFieldProps } from './setting-field.tsx'

interface SettingFieldsProps extends Pick<SettingFieldProps, 'values' | 'put' | 'errors'> {
  type: ChannelType
  known?: Channel['settings']
}

export const SettingFields = ({ type, known, ...rest }: SettingFieldsProps) =>
  type.fields.map((field) => (
    <ChannelSettingField
      key={field.name}
      field={field}
      known={known}
      generates={type.type === 'webhook' && field.name === 'secret'}
      {...rest}
    />
  ))
