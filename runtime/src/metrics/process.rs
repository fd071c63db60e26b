//! Process metrics, read from `/proc` on each scrape.
//!
//! Without `/proc`, or if a value is missing there, the series is absent: a wrong 0 would be worse.

use std::{fmt, fs};

use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeMetric},
    metrics::{counter::ConstCounter, gauge::ConstGauge},
};

/// Ticks per second in `/proc/self/stat`: `USER_HZ`, which is part of the kernel ABI and 100 on every architecture that Rust's standard library
/// supports. `sysconf` would require unsafe code.
const TICKS_PER_SECOND: f64 = 100.0;

/// Collector of the process metrics.
#[derive(Debug)]
pub(super) struct ProcessCollector;

impl Collector for ProcessCollector {
    fn encode(&self, encoder: DescriptorEncoder<'_>) -> fmt::Result {
        ProcessStats::current().encode(encoder)
    }
}

/// Resource usage of the process; missing values are `None`.
#[derive(Debug, Default, PartialEq)]
struct ProcessStats {
    cpu_seconds: Option<f64>,
    start_time_seconds: Option<f64>,
    resident_bytes: Option<u64>,
    virtual_bytes: Option<u64>,
    open_files: Option<u64>,
    max_files: Option<u64>,
}

impl ProcessStats {
    fn current() -> Self {
        let read = |path| fs::read_to_string(path).unwrap_or_default();
        let mut usage = Self::read(
            &read("/proc/self/stat"),
            &read("/proc/stat"),
            &read("/proc/self/status"),
            &read("/proc/self/limits"),
        );
        // One of them is the open directory itself.
        usage.open_files = fs::read_dir("/proc/self/fd")
            .ok()
            .map(|files| (files.count() as u64).saturating_sub(1));
        usage
    }

    fn read(stat: &str, system: &str, status: &str, limits: &str) -> Self {
        // The second field is the program name in parentheses, which may contain spaces and parentheses.
        let fields: Vec<_> = stat
            .rsplit_once(')')
            .map_or(vec![], |(_, rest)| rest.split_whitespace().collect());
        let seconds =
            |field: usize| Some(fields.get(field - 3)?.parse::<f64>().ok()? / TICKS_PER_SECOND);
        let boot = number(system, "btime ").and_then(|boot| u32::try_from(boot).ok());
        Self {
            cpu_seconds: seconds(14)
                .zip(seconds(15))
                .map(|(user, system)| user + system),
            start_time_seconds: seconds(22)
                .zip(boot)
                .map(|(start, boot)| f64::from(boot) + start),
            resident_bytes: number(status, "VmRSS:").map(|kibibytes| kibibytes * 1024),
            virtual_bytes: number(status, "VmSize:").map(|kibibytes| kibibytes * 1024),
            open_files: None,
            max_files: number(limits, "Max open files"),
        }
    }

    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let mut write = |name, help, metric: &dyn EncodeMetric| {
            let metric_encoder =
                encoder.encode_descriptor(name, help, None, metric.metric_type())?;
            metric.encode(metric_encoder)
        };
        if let Some(seconds) = self.cpu_seconds {
            write(
                "process_cpu_seconds",
                "Total user and system CPU time spent in seconds",
                &ConstCounter::new(seconds),
            )?;
        }
        if let Some(seconds) = self.start_time_seconds {
            let help = "Start time of the process since unix epoch in seconds";
            write(
                "process_start_time_seconds",
                help,
                &ConstGauge::new(seconds),
            )?;
        }
        let gauges = [
            (
                "process_resident_memory_bytes",
                "Resident memory size in bytes",
                self.resident_bytes,
            ),
            (
                "process_virtual_memory_bytes",
                "Virtual memory size in bytes",
                self.virtual_bytes,
            ),
            (
                "process_open_fds",
                "Number of open file descriptors",
                self.open_files,
            ),
            (
                "process_max_fds",
                "Maximum number of open file descriptors",
                self.max_files,
            ),
        ];
        for (name, help, value) in gauges {
            if let Some(value) = value {
                write(name, help, &ConstGauge::new(value))?;
            }
        }
        Ok(())
    }
}

/// Returns the first number of the line that starts with `key`.
fn number(text: &str, key: &str) -> Option<u64> {
    let rest = text.lines().find_map(|line| line.strip_prefix(key))?;
    rest.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_the_files_of_linux() {
        let usage = ProcessStats::read(
            "7 (a) b (c)) S 1 7 7 0 -1 4194560 1 0 0 0 250 50 0 0 20 0 3 0 1234 5000 100 18446744073709551615",
            "cpu  1 2 3\nbtime 1700000000\nprocesses 5\n",
            "Name:\tmanager\nVmSize:\t   20480 kB\nVmRSS:\t    1024 kB\n",
            "Limit                     Soft Limit           Hard Limit           Units\nMax open files            1024                 524288               files\n",
        );
        assert_eq!(
            usage,
            ProcessStats {
                cpu_seconds: Some(3.0),
                start_time_seconds: Some(1_700_000_012.34),
                resident_bytes: Some(1_048_576),
                virtual_bytes: Some(20_971_520),
                open_files: None,
                max_files: Some(1024),
            }
        );
    }

    #[test]
    fn missing_values_are_absent() {
        assert_eq!(
            ProcessStats::read(
                "",
                "",
                "",
                "Max open files            unlimited            unlimited            files\n"
            ),
            ProcessStats::default()
        );
        assert_eq!(
            ProcessStats::read("7 (a) S 1", "btime\n", "VmRSS:\n", ""),
            ProcessStats::default()
        );
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn reads_the_current_process() {
        let usage = ProcessStats::current();
        let resident = usage.resident_bytes.unwrap();
        assert!(
            (100_000..usage.virtual_bytes.unwrap()).contains(&resident),
            "{usage:?}"
        );
        assert!(
            (1..usage.max_files.unwrap()).contains(&usage.open_files.unwrap()),
            "{usage:?}"
        );
        assert!(usage.cpu_seconds.unwrap() >= 0.0, "{usage:?}");
        // After 2020, which requires the right boot time.
        assert!(
            usage.start_time_seconds.unwrap() > 1_577_836_800.0,
            "{usage:?}"
        );

        let file = fs::File::open("/proc/self/stat").unwrap();
        assert!(ProcessStats::current().open_files.unwrap() >= 1);
        drop(file);
    }
}
