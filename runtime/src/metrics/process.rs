//! What the process uses, read from Linux' `/proc` whenever metrics are asked for.
//!
//! Where there is no `/proc`, or a file in it lacks a number, that series is absent: a wrong 0 would be worse.

use std::{fmt, fs};

use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeMetric},
    metrics::{counter::ConstCounter, gauge::ConstGauge},
};

/// Ticks per second in `/proc/self/stat`. The kernel counts in ticks of its own, but what it tells user space is in `USER_HZ`, which is
/// part of its interface and 100 on every architecture that Rust's standard library is built for. Asking (`sysconf`) would need unsafe code.
const TICKS: f64 = 100.0;

/// Reads and writes the numbers of the process.
#[derive(Debug)]
pub(super) struct Process;

impl Collector for Process {
    fn encode(&self, encoder: DescriptorEncoder<'_>) -> fmt::Result {
        Usage::of_this_process().encode(encoder)
    }
}

/// What a process uses, as far as it is known.
#[derive(Debug, Default, PartialEq)]
struct Usage {
    cpu_seconds: Option<f64>,
    start_time_seconds: Option<f64>,
    resident_bytes: Option<u64>,
    virtual_bytes: Option<u64>,
    open_files: Option<u64>,
    most_files: Option<u64>,
}

impl Usage {
    fn of_this_process() -> Self {
        let read = |path| fs::read_to_string(path).unwrap_or_default();
        let mut usage = Self::read(
            &read("/proc/self/stat"),
            &read("/proc/stat"),
            &read("/proc/self/status"),
            &read("/proc/self/limits"),
        );
        // One of them is the open folder itself.
        usage.open_files = fs::read_dir("/proc/self/fd")
            .ok()
            .map(|files| (files.count() as u64).saturating_sub(1));
        usage
    }

    fn read(stat: &str, system: &str, status: &str, limits: &str) -> Self {
        // The second field is the program's name in brackets, and may hold blanks and brackets. The third field follows it.
        let fields: Vec<_> = stat
            .rsplit_once(')')
            .map_or(vec![], |(_, rest)| rest.split_whitespace().collect());
        let seconds = |field: usize| Some(fields.get(field - 3)?.parse::<f64>().ok()? / TICKS);
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
            most_files: number(limits, "Max open files"),
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
                "CPU time used, in seconds",
                &ConstCounter::new(seconds),
            )?;
        }
        if let Some(seconds) = self.start_time_seconds {
            let help = "When the process started, in seconds since 1970";
            write(
                "process_start_time_seconds",
                help,
                &ConstGauge::new(seconds),
            )?;
        }
        let whole = [
            (
                "process_resident_memory_bytes",
                "Memory in use, in bytes",
                self.resident_bytes,
            ),
            (
                "process_virtual_memory_bytes",
                "Address space in use, in bytes",
                self.virtual_bytes,
            ),
            (
                "process_open_fds",
                "Open files and sockets",
                self.open_files,
            ),
            (
                "process_max_fds",
                "How many files and sockets may be open",
                self.most_files,
            ),
        ];
        for (name, help, value) in whole {
            if let Some(value) = value {
                write(name, help, &ConstGauge::new(value))?;
            }
        }
        Ok(())
    }
}

/// The first number of the line that starts with `key`.
fn number(text: &str, key: &str) -> Option<u64> {
    let rest = text.lines().find_map(|line| line.strip_prefix(key))?;
    rest.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_where_linux_writes_them() {
        let usage = Usage::read(
            "7 (a) b (c)) S 1 7 7 0 -1 4194560 1 0 0 0 250 50 0 0 20 0 3 0 1234 5000 100 18446744073709551615",
            "cpu  1 2 3\nbtime 1700000000\nprocesses 5\n",
            "ObjectKey:\tmanager\nVmSize:\t   20480 kB\nVmRSS:\t    1024 kB\n",
            "Limit                     Soft Limit           Hard Limit           Units\nMax open files            1024                 524288               files\n",
        );
        assert_eq!(
            usage,
            Usage {
                cpu_seconds: Some(3.0),
                start_time_seconds: Some(1_700_000_012.34),
                resident_bytes: Some(1_048_576),
                virtual_bytes: Some(20_971_520),
                open_files: None,
                most_files: Some(1024),
            }
        );
    }

    #[test]
    fn what_is_not_told_is_absent() {
        assert_eq!(
            Usage::read(
                "",
                "",
                "",
                "Max open files            unlimited            unlimited            files\n"
            ),
            Usage::default()
        );
        assert_eq!(
            Usage::read("7 (a) S 1", "btime\n", "VmRSS:\n", ""),
            Usage::default()
        );
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_process_uses_something() {
        let usage = Usage::of_this_process();
        let resident = usage.resident_bytes.unwrap();
        assert!(
            (100_000..usage.virtual_bytes.unwrap()).contains(&resident),
            "{usage:?}"
        );
        assert!(
            (1..usage.most_files.unwrap()).contains(&usage.open_files.unwrap()),
            "{usage:?}"
        );
        assert!(usage.cpu_seconds.unwrap() >= 0.0, "{usage:?}");
        // After 2020, which only a right boot time gives.
        assert!(
            usage.start_time_seconds.unwrap() > 1_577_836_800.0,
            "{usage:?}"
        );

        let file = fs::File::open("/proc/self/stat").unwrap();
        assert!(Usage::of_this_process().open_files.unwrap() >= 1);
        drop(file);
    }
}
