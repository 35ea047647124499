import { isOnline$ } from '@headwater/demo-kit'
import { useValue } from '../hooks/useValue.ts'

/** A banner while the browser is offline. */
export function OfflineBanner() {
  const isOnline = useValue(isOnline$)
  return (
    <div className="banner" role="status">
      {!isOnline && (
        <p data-testid="offline-banner">
          <strong>You are offline.</strong> The data may be stale; updates resume automatically.
        </p>
      )}
    </div>
  )
}
