/** Column shown on wide screens and in the list on phones. */
export const wideOrPhoneClasses = 'sm:max-[1279px]:hidden'

/** Column hidden on phones. */
export const notPhoneClasses = 'max-sm:hidden'
