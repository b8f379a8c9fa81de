<?php

declare(strict_types=1);

namespace ParcelworksWoo;

/**
 * The clock of the table of parcels: Action Scheduler where the shop has it, WordPress' own otherwise. Neither promises
 * to run once, or in time; the key makes a parcel once, and whatever runs next finds what is due.
 */
final class Queue
{
    private const HOOK = 'parcelworks_run';
    private const GROUP = 'parcelworks';
    /** Of its own: Action Scheduler takes one unique action of a hook and group, and the clock's always waits. */
    private const GROUP_NOW = 'parcelworks-now';
    private const EVERY_SECONDS = 60;
    /** Hosts end a request after 30 seconds. */
    private const RUN_SECONDS = 15;
    private const MOST_AT_ONCE = 20;

    private ParcelStore $store;
    private Booking $booking;

    public function __construct(ParcelStore $store, Booking $booking)
    {
        $this->store = $store;
        $this->booking = $booking;
    }

    public function hook(): void
    {
        add_action(self::HOOK, [$this, 'run']);
        add_filter('cron_schedules', static function (array $schedules): array {
            return $schedules + ['parcelworks_minute' => ['interval' => self::EVERY_SECONDS, 'display' => 'Parcelworks']];
        });
        add_action('init', [$this, 'startClock'], 20);
    }

    public function startClock(): void
    {
        if (self::hasScheduler()) {
            if (is_admin() && as_next_scheduled_action(self::HOOK, [], self::GROUP) === false) {
                as_schedule_recurring_action(time(), self::EVERY_SECONDS, self::HOOK, [], self::GROUP, true);
            }
        } elseif (!wp_next_scheduled(self::HOOK)) {
            wp_schedule_event(time(), 'parcelworks_minute', self::HOOK);
        }
    }

    public static function stopClock(): void
    {
        wp_clear_scheduled_hook(self::HOOK);
        if (function_exists('as_unschedule_all_actions')) {
            as_unschedule_all_actions(self::HOOK, [], self::GROUP);
            as_unschedule_all_actions(self::HOOK, ['now'], self::GROUP_NOW);
        }
    }

    /** Asks for a run as soon as the clock can. */
    public function wake(): void
    {
        if (self::hasScheduler()) {
            as_enqueue_async_action(self::HOOK, ['now'], self::GROUP_NOW, true);
        } else {
            wp_schedule_single_event(time(), self::HOOK, ['now']);
        }
    }

    public function run(): void
    {
        // Otherwise what is due stays due, and each run would ask for the next at once.
        if (!$this->booking->isReady()) {
            return;
        }
        $end = time() + self::RUN_SECONDS;
        foreach ($this->store->due(self::MOST_AT_ONCE) as $parcel) {
            if (time() >= $end) {
                break;
            }
            $this->booking->work($parcel);
        }
        // What another process is at is not due: a run that asked for the next one then would ask without end.
        if ($this->store->due(1) !== []) {
            $this->wake();
        }
    }

    /** When the clock strikes next, in Unix seconds; null where it stands still. */
    public function nextRunAt(): ?int
    {
        $next = self::hasScheduler() ? as_next_scheduled_action(self::HOOK, [], self::GROUP) : wp_next_scheduled(self::HOOK);

        return $next === true ? time() : ($next === false ? null : (int) $next);
    }

    private static function hasScheduler(): bool
    {
        return function_exists('as_enqueue_async_action') && did_action('action_scheduler_init') > 0;
    }
}
