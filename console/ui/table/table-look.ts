/** Column shown on wide screens and in the list on phones. */
export const roomyLook = 'sm:max-[1279px]:hidden'

/** Column hidden on phones. */
export const deskLook = 'max-sm:hidden'
