<?php

declare(strict_types=1);

namespace Parcelworks\Core;

/** Walks through lists. Each page is fetched when its first row is wanted, with the retries of every call. */
final class Pages
{
    private const PER_PAGE = 100;
    private Calls $calls;

    public function __construct(Calls $calls)
    {
        $this->calls = $calls;
    }

    /**
     * A list by page number. Rows that come in front meanwhile push others onto the next page: those are not given
     * twice.
     *
     * @param array<string, mixed> $query
     * @return \Generator<int, array<string, mixed>>
     */
    public function byNumber(string $path, array $query, string $idField): \Generator
    {
        $seen = [];
        $page = 1;
        do {
            $answer = $this->page($path, ['page' => $page] + $query);
            $now = [];
            foreach (self::rows($answer) as $row) {
                $id = is_string($row[$idField] ?? null) ? $row[$idField] : '';
                $now[$id] = true;
                if (!isset($seen[$id])) {
                    yield $row;
                }
            }
            $seen = $now;
            $last = self::meta($answer)['last_page'] ?? null;
            $page++;
        } while ($now !== [] && is_int($last) && $page <= $last);
    }

    /**
     * A list by cursor. Rows that come in meanwhile shift nothing.
     *
     * @param array<string, mixed> $query
     * @return \Generator<int, array<string, mixed>>
     */
    public function byCursor(string $path, array $query): \Generator
    {
        $cursor = null;
        do {
            $answer = $this->page($path, $cursor === null ? $query : ['cursor' => $cursor] + $query);
            foreach (self::rows($answer) as $row) {
                yield $row;
            }
            $cursor = self::meta($answer)['next_cursor'] ?? null;
        } while (is_string($cursor));
    }

    /**
     * @param array<string, mixed> $query
     * @return array<array-key, mixed>
     */
    private function page(string $path, array $query): array
    {
        $data = $this->calls->get($path, $query + ['per_page' => self::PER_PAGE])->data;

        return is_array($data) ? $data : [];
    }

    /**
     * @param array<array-key, mixed> $answer
     * @return list<array<string, mixed>>
     */
    private static function rows(array $answer): array
    {
        $rows = $answer['data'] ?? [];

        /** @var list<array<string, mixed>> */
        return is_array($rows) ? array_values(array_filter($rows, 'is_array')) : [];
    }

    /**
     * @param array<array-key, mixed> $answer
     * @return array<array-key, mixed>
     */
    private static function meta(array $answer): array
    {
        $meta = $answer['meta'] ?? [];

        return is_array($meta) ? $meta : [];
    }
}
