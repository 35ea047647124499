import { computed, type ComputedRef } from 'vue'
import { type Formats, formatsOf, settings$ } from '@headwater/demo-kit'
import { useValue } from './useValue.ts'

/** The number and time formats of the chosen locale. */
export function useFormats(): ComputedRef<Formats> {
  const settings = useValue(settings$)
  return computed(() => formatsOf(settings.value.locale))
}
